//! What columns are usually called, by role. Case, `_`, `-`, dots and spaces make no difference.

use crate::model::Role;

/// Names, with spaces between them.
#[derive(Clone, Copy)]
pub(super) struct SpacedNames(&'static str);

impl SpacedNames {
    /// The place of a name among them.
    pub(super) fn place(self, name: &str) -> Option<usize> {
        self.0.split_ascii_whitespace().position(|known| known == name)
    }

    /// Whether a name is among them.
    pub(super) fn has(self, name: &str) -> bool {
        self.place(name).is_some()
    }

    /// How many there are.
    pub(super) fn len(self) -> usize {
        self.0.split_ascii_whitespace().count()
    }
}

/// Names of a role, the one that says most first.
pub(super) fn names_of(role: Role) -> SpacedNames {
    match role {
        Role::Id => SpacedNames(ID),
        Role::Group => SpacedNames(GROUP),
        Role::Model => SpacedNames(MODEL),
        Role::Repeat => SpacedNames(REPEAT),
        Role::Score => SpacedNames(SCORE),
        Role::Passed => SpacedNames(PASSED),
        Role::Metric => SpacedNames(METRIC),
        Role::Input => SpacedNames(INPUT),
        Role::Expected => SpacedNames(EXPECTED),
        Role::Output => SpacedNames(OUTPUT),
        Role::Error => SpacedNames(ERROR),
        Role::Duration => SpacedNames(DURATION),
        Role::Cost => SpacedNames(COST),
        Role::Tokens => SpacedNames(TOKENS),
        Role::Fact | Role::ModelScore => SpacedNames(""),
    }
}

const ID: &str = "\
    id caseid testcaseid testid sampleid exampleid itemid questionid qid instanceid problemid \
    promptid docid documentid rowid recordid taskid conversationid uid uuid guid case testcase \
    testname casename test sample example item key name title idx index no nr number task taskname";
const GROUP: &str = "\
    group category subject topic domain subset subtask suite testsuite task taskname dataset \
    benchmark section split type kind questiontype difficulty level skill capability area field \
    tag label language lang scenario persona cluster";
const MODEL: &str = "\
    model modelname modelid subjectmodel evaluatedmodel llm agent agentname system systemname \
    engine deployment assistant bot candidate competitor solver method approach variant \
    configuration config provider promptversion experiment";
const REPEAT: &str = "\
    repeat repetition rep repeatindex epoch trial trialid trialindex attempt attemptid iteration \
    iter run runid runindex replicate try seed sampleindex";
const SCORE: &str = "\
    score finalscore overallscore totalscore overall meanscore avgscore averagescore scorevalue \
    judgescore reward grade rating points mark marks scorepct scorepercent percent result value \
    quality accuracy acc exactmatch em f1 correctness similarity metricvalue";
const PASSED: &str = "\
    passed pass ispassed ispass haspassed didpass testpassed success successful issuccess \
    issuccessful succeeded correct iscorrect wascorrect resolved isresolved solved issolved \
    accepted ok isok verdict outcome passfail status result state";
const METRIC: &str = "\
    accuracy acc accnorm exactmatch em f1 f1score precision recall bleu rouge rouge1 rouge2 rougel \
    meteor chrf ter bertscore perplexity loglikelihood faithfulness relevance relevancy \
    answerrelevancy contextprecision contextrecall groundedness coherence fluency consistency \
    helpfulness harmlessness toxicity bias hallucination similarity cosinesimilarity correctness \
    completeness conciseness ndcg";
const INPUT: &str = "\
    input inputs prompt question query instruction instructions messages userinput usermessage \
    userquery request problem problemstatement text conversation stem source context task \
    description content";
const EXPECTED: &str = "\
    expected expectedoutput expectedanswer expectedresponse expectedvalue reference references \
    referenceanswer referenceoutput ideal idealanswer target targets gold golden goldanswer \
    goldlabel goldenanswer groundtruth truth answerkey correctanswer rightanswer correctoutput \
    canonicalsolution solution ytrue want desired label";
const OUTPUT: &str = "\
    output outputs response responses modeloutput modelresponse modelanswer llmoutput llmresponse \
    completion completions prediction predictions predicted pred generation generated \
    generatedtext generatedanswer actual actualoutput actualanswer answer reply submission \
    finalanswer ypred got assistantresponse resulttext";
const ERROR: &str = "\
    error errormessage errormsg errortext errors exception exceptionmessage err traceback \
    failurereason failuremessage failure errortype errorcode iserror haserror";
const DURATION: &str = "\
    duration latency elapsed elapsedtime runtime walltime wallclock responsetime executiontime \
    exectime totaltime timetaken took generationtime inferencetime processingtime timespent \
    seconds secs sec ms milliseconds minutes time";
const COST: &str = "\
    cost totalcost price spend dollars usd costusd priceusd apicost estimatedcost";
const TOKENS: &str = "\
    tokens totaltokens ntokens numtokens tokencount tokensused tokenusage usagetotaltokens \
    prompttokens inputtokens completiontokens outputtokens tokensin tokensout intokens outtokens \
    generatedtokens prompttokencount completiontokencount";

/// Names of numbers that say nothing of how well a case went.
pub(super) const PLAIN: SpacedNames = SpacedNames(
    "\
    temperature topp topk seed year month day date timestamp createdat startedat finishedat \
    endedat updatedat weight threshold page line length count size version probability logprob \
    steps nsteps turns nturns rank position order age latitude longitude width height maxtokens \
    shots nshot fewshot",
);

/// Folders of metrics: `scores.accuracy`.
pub(super) const METRIC_FOLDERS: SpacedNames = SpacedNames(
    "\
    scores score metrics metric namedscores evals",
);
