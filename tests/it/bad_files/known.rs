//! The folder `bad/`, file by file, with what is said about each: one line a note.

/// Every bad file with its messages.
pub(super) const KNOWN: &[(&str, &str)] = &[
    (
        "bom_only.json",
        r#"
unrecognised bom_only.json [file]: the file is empty
"#,
    ),
    (
        "braces.json",
        r#"
unrecognised braces.json [file]: JSON without the keys of a known format; it starts with "{}\n"
"#,
    ),
    (
        "csv_other.csv",
        r#"
2 cases of table 
assumed csv_other.csv [file]: what the columns are is guessed: id as id, score as score
"#,
    ),
    (
        "deep_lists.json.gz",
        r#"
unrecognised deep_lists.json [file]: text that is no known format; it starts with "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["
"#,
    ),
    (
        "empty.json",
        r#"
unrecognised empty.json [file]: the file is empty
"#,
    ),
    (
        "evalglass_cut.json",
        r#"
1 cases of letta-evals C0
truncated evalglass_cut.json [byte 8598]: case 2 is cut off, what stands before is kept: it ends inside an array at byte 8964
"#,
    ),
    (
        "evalglass_first_version.json",
        r#"
6 cases of letta-evals C0
unknown evalglass_first_version.json [byte 282]: the report was made by an earlier version and does not hold the rules of the files: gates, metrics and policies are not shown
"#,
    ),
    (
        "evalglass_newer.json",
        r#"
broken evalglass_newer.json [file]: it is "evalglass-report/2", which this page does not know (it knows evalglass-report/1): open it with a newer page
"#,
    ),
    (
        "evalglass_no_evaluation.json",
        r#"
broken evalglass_no_evaluation.json [file]: the report holds no evaluation that can be read
"#,
    ),
    (
        "evalglass_wrong_types.json",
        r#"
6 cases of letta-evals C0
broken evalglass_wrong_types.json [byte 13755]: a run is left out: the evaluation that it names is not in the report
broken evalglass_wrong_types.json [byte 13848]: a note is left out: a note is of no known kind
broken evalglass_wrong_types.json [byte 4923]: the configuration of the evaluation cannot be read, and is left out
broken evalglass_wrong_types.json [byte 5718]: a declared figure of the evaluation cannot be read, and is left out
broken evalglass_wrong_types.json [byte 6239]: a recorded row of the evaluation cannot be read, and is left out
broken evalglass_wrong_types.json [byte 10067]: the member "declared_groups" of a run cannot be read, and is left out
broken evalglass_wrong_types.json [byte 8584]: a case is left out: a case is not an object
unknown evalglass_wrong_types.json [byte 8075]: the outcome of a case is not known, so the case counts as unscored
"#,
    ),
    (
        "git_lfs_pointer.parquet",
        r#"
missing partner git_lfs_pointer.parquet [file]: Git LFS pointer, 12345 bytes: run `git lfs pull`
"#,
    ),
    (
        "gzip_bad_checksum.json.gz",
        r#"
3 cases of rebel 0.2.0
broken gzip_bad_checksum.json.gz [byte 2469]: damaged gzip data, what comes before is used: its checksum does not match
"#,
    ),
    (
        "gzip_bomb.json.gz",
        r#"
limit gzip_bomb.json.gz [file]: gzip data expands past the limit of 17358000 bytes
"#,
    ),
    (
        "gzip_flipped.json.gz",
        r#"
broken gzip_flipped.json.gz [file]: damaged gzip data: some bytes in it are wrong
"#,
    ),
    (
        "gzip_header_only.json.gz",
        r#"
broken gzip_header_only.json.gz [file]: damaged gzip data: it ends too early
"#,
    ),
    (
        "gzip_truncated.json.gz",
        r#"
34 cases of rebel 0.2.0
truncated gzip_truncated.json.gz [byte 21420]: damaged gzip data, what comes before is used: it ends too early
truncated gzip_truncated.json [byte 20862]: test case 35 is cut off, the 34 before it are kept: it ends inside an object at byte 21420
"#,
    ),
    (
        "html_error.html",
        r#"
unrecognised html_error.html [file]: text that is no known format; it starts with "<!doctype html>\n<html><head><tit"
"#,
    ),
    (
        "jsonl_other.jsonl",
        r#"
unrecognised jsonl_other.jsonl [file]: a table (JSONL) in which no column looks like a result; columns: step, loss
"#,
    ),
    (
        "letta_broken_middle_line.jsonl",
        r#"
3 cases of letta-evals B
broken letta_broken_middle_line.jsonl [line 2, byte 1737]: not valid JSON: the line ends inside a value
broken letta_broken_middle_line.jsonl [line 4, byte 3621]: not valid JSON: a word is not JSON
missing partner letta_broken_middle_line.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner letta_broken_middle_line.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_duplicate_ids.jsonl",
        r#"
3 cases of letta-evals B
missing partner letta_duplicate_ids.jsonl [file]: no header.json is among the files: gate and graders are not known
duplicate letta_duplicate_ids.jsonl [line 2, byte 1737]: a sample has more than one row of the same model and run
missing partner letta_duplicate_ids.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_first_line_broken.jsonl",
        r#"
2 cases of letta-evals B
broken letta_first_line_broken.jsonl [line 1, byte 0]: not valid JSON: the line ends inside a value
missing partner letta_first_line_broken.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner letta_first_line_broken.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_glued_and_blank.jsonl",
        r#"
4 cases of letta-evals B
broken letta_glued_and_blank.jsonl [line 5, byte 5479; line 6, byte 5482] x2: the line is no result row
missing partner letta_glued_and_blank.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner letta_glued_and_blank.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_header_alone.json",
        r#"
broken letta_header_alone.json [file]: there is no result row and no summary
"#,
    ),
    (
        "letta_huge_line.jsonl.gz",
        r#"
3 cases of letta-evals B
missing partner letta_huge_line.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner letta_huge_line.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_infinite_scores.jsonl",
        r#"
4 cases of letta-evals B
missing partner letta_infinite_scores.jsonl [file]: no header.json is among the files: gate and graders are not known
mismatch letta_infinite_scores.jsonl [line 1, byte 0; line 2, byte 1747; line 4, byte 5303] x3: a score lies outside 0–1, the range of letta-evals
missing partner letta_infinite_scores.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_last_line_cut.jsonl",
        r#"
3 cases of letta-evals B
truncated letta_last_line_cut.jsonl [line 4, byte 5289]: the last line is cut off
missing partner letta_last_line_cut.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner letta_last_line_cut.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_negative_weights.jsonl",
        r#"
2 cases of letta-evals C0
unfinished letta_negative_weights.jsonl [file]: no summary could be read: the run was interrupted or is not finished, or its summary is missing or broken
unknown letta_negative_weights.jsonl [config.gate]: the gate is of no known kind
"#,
    ),
    (
        "letta_null_sample.jsonl",
        r#"
3 cases of letta-evals B
broken letta_null_sample.jsonl [line 1, byte 0]: the line is no result row
broken letta_null_sample.jsonl [line 2, byte 35; line 3, byte 1683] x2: sample is of another type than expected and is left out
missing partner letta_null_sample.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner letta_null_sample.jsonl [file]: no summary.json is among the files: totals are those of the rows
assumed letta_null_sample.jsonl [line 2, byte 35; line 3, byte 1683] x2: a row has no id; its place in the file stands for it
"#,
    ),
    (
        "letta_samples_object.json",
        r#"
unrecognised letta_samples_object.json [file]: JSON without the keys of a known format; it starts with "{\n \"suite\": \"eleven runs\",\n \"con"
"#,
    ),
    (
        "letta_scores_as_text.jsonl",
        r#"
4 cases of letta-evals B
broken letta_scores_as_text.jsonl [line 1, byte 0]: score is of another type than expected and is left out
broken letta_scores_as_text.jsonl [line 2, byte 1741]: grades is of another type than expected and is left out
broken letta_scores_as_text.jsonl [line 3, byte 2809]: grade is of another type than expected and is left out
missing partner letta_scores_as_text.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner letta_scores_as_text.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "letta_suite_cut.json",
        r#"
truncated letta_suite_cut.json [byte 1800]: it ends inside an object
truncated letta_suite_cut.json [byte 1735]: the samples are cut off at number 3: it ends inside an array
broken letta_suite_cut.json [file]: there is no result row and no summary
missing partner letta_suite_cut.json [file]: no results of the model "openai/gpt-4.1-mini"
missing partner letta_suite_cut.json [file]: no results of the model "anthropic/claude-haiku-4-5"
unfinished letta_suite_cut.json [file]: no summary could be read: the run was interrupted or is not finished, or its summary is missing or broken
"#,
    ),
    (
        "mixed_producers.jsonl",
        r#"
2 cases of letta-evals B
broken mixed_producers.jsonl [line 2, byte 1737; line 4, byte 5157] x2: the line is no result row
missing partner mixed_producers.jsonl [file]: no header.json is among the files: gate and graders are not known
missing partner mixed_producers.jsonl [file]: no summary.json is among the files: totals are those of the rows
"#,
    ),
    (
        "parquet_footer_length.parquet",
        r#"
broken parquet_footer_length.parquet [file]: damaged Parquet data: its footer is missing or does not fit, so the file is probably cut off
"#,
    ),
    (
        "parquet_footer_thrift.parquet",
        r#"
broken parquet_footer_thrift.parquet [file]: damaged Parquet data: a header inside it cannot be read
"#,
    ),
    (
        "parquet_magic_only.parquet",
        r#"
broken parquet_magic_only.parquet [file]: damaged Parquet data: its footer is missing or does not fit, so the file is probably cut off
"#,
    ),
    (
        "parquet_other_schema.parquet",
        r#"
unrecognised parquet_other_schema.parquet [file]: a table (Parquet) in which no column looks like a result; columns: step, loss
"#,
    ),
    (
        "parquet_page_flipped.parquet",
        r#"
0 cases of slop-code G1
broken parquet_page_flipped.parquet [row 0]: damaged Parquet data: column id, page at byte 537: a page cannot be unpacked ("Src size is incorrect"); 7 of 7 rows are lost
missing partner parquet_page_flipped.parquet [file]: no evaluation.json can be read: groups are those of the rows, empty ones and durations are unknown
assumed parquet_page_flipped.parquet [file]: problem and checkpoint are named after the folders: no file says
"#,
    ),
    (
        "parquet_page_header.parquet",
        r#"
0 cases of slop-code G1
broken parquet_page_header.parquet [row 0]: damaged Parquet data: column problem, page at byte 4: a page header cannot be read; 5 of 5 rows are lost
missing partner parquet_page_header.parquet [file]: no evaluation.json can be read: groups are those of the rows, empty ones and durations are unknown
assumed parquet_page_header.parquet [file]: problem and checkpoint are named after the folders: no file says
"#,
    ),
    (
        "parquet_truncated.parquet",
        r#"
broken parquet_truncated.parquet [file]: damaged Parquet data: its footer is missing or does not fit, so the file is probably cut off
"#,
    ),
    (
        "png_header.json",
        r#"
unrecognised png_header.json [file]: binary data that is no known format; it starts with "�PNG\r\n\u{1a}\n\0\0\0\rIHDR\0\0\0\u{10}\0\0\0\u{10}\u{8}\u{6}\0\0\0\u{1f}��"
"#,
    ),
    (
        "rebel_bad_escapes.json",
        r#"
3 cases of rebel 0.2.0
"#,
    ),
    (
        "rebel_cases_object.json",
        r#"
unrecognised rebel_cases_object.json [file]: JSON without the keys of a known format; it starts with "{\n \"metadata\": {},\n \"test_cases\""
"#,
    ),
    (
        "rebel_concatenated.json",
        r#"
3 cases of rebel 0.2.0
broken rebel_concatenated.json [byte 2469]: something follows the report: only the first one of a file is read
"#,
    ),
    (
        "rebel_cut_before_close.json",
        r#"
3 cases of rebel 0.2.0
truncated rebel_cut_before_close.json [byte 2467]: it ends inside an object; every test case is read
"#,
    ),
    (
        "rebel_cut_between_elements.json",
        r#"
2 cases of rebel 0.2.0
truncated rebel_cut_between_elements.json [byte 1675]: test case 3 is cut off, the 2 before it are kept: it ends inside an object at byte 1675
"#,
    ),
    (
        "rebel_cut_between_members.json",
        r#"
unrecognised rebel_cut_between_members.json [file]: JSON without the keys of a known format; it ends inside an object at byte 2409; it starts with "{\n \"test_cases\": [\n  {\n   \"name\""
"#,
    ),
    (
        "rebel_cut_in_metadata.json",
        r#"
3 cases of rebel 0.2.0
broken rebel_cut_in_metadata.json [byte 2446]: the metadata cannot be read: it ends inside a text
truncated rebel_cut_in_metadata.json [byte 2446]: it ends inside an object; every test case is read
"#,
    ),
    (
        "rebel_cut_in_multibyte.json",
        r#"
0 cases of rebel 0.2.0
truncated rebel_cut_in_multibyte.json [byte 98]: test case 1 is cut off, nothing is kept: it ends inside an object at byte 305
"#,
    ),
    (
        "rebel_cut_in_string.json",
        r#"
2 cases of rebel 0.2.0
truncated rebel_cut_in_string.json [byte 1678]: test case 3 is cut off, the 2 before it are kept: it ends inside an object at byte 1900
"#,
    ),
    (
        "rebel_deep_nesting.json.gz",
        r#"
0 cases of rebel 0.2.0
broken rebel_deep_nesting.json [byte 98]: test case 1 and what follows cannot be read, nothing is kept: it is nested too deeply at byte 1295
"#,
    ),
    (
        "rebel_duplicate_keys.json",
        r#"
3 cases of rebel 0.2.0
"#,
    ),
    (
        "rebel_huge_numbers.json",
        r#"
3 cases of rebel 0.2.0
mismatch rebel_huge_numbers.json [test_cases[0]]: fewer results than attempts were planned: failed requests leave no record
"#,
    ),
    (
        "rebel_invalid_utf8.json",
        r#"
3 cases of rebel 0.2.0
"#,
    ),
    (
        "rebel_list_at_top.json",
        r#"
3 cases of table 
assumed rebel_list_at_top.json [file]: what the columns are is guessed: name as id, input.messages as input, input.api_params.model as model, expected_output.output as expected, expected_output.tools_called as expected, expected_output.context as expected, expected_output.execution_time as expected, aggregated_result.score as score, aggregated_result.verdict as passed
"#,
    ),
    (
        "rebel_metadata_list.json",
        r#"
3 cases of table 
assumed rebel_metadata_list.json [file]: what the columns are is guessed: name as id, input.messages as input, input.api_params.model as model, expected_output.output as expected, expected_output.tools_called as expected, expected_output.context as expected, expected_output.execution_time as expected, aggregated_result.score as score, aggregated_result.verdict as passed
"#,
    ),
    (
        "rebel_missing_comma.json",
        r#"
2 cases of rebel 0.2.0
broken rebel_missing_comma.json [byte 141]: not valid JSON: a comma or a closing brace was expected
"#,
    ),
    (
        "rebel_nan_everywhere.json",
        r#"
2 cases of rebel 0.2.0
broken rebel_nan_everywhere.json [byte 902]: a test case has no name
integrity rebel_nan_everywhere.json [case 1]: a case has a negative duration
"#,
    ),
    (
        "rebel_null_case.json",
        r#"
2 cases of rebel 0.2.0
broken rebel_null_case.json [byte 894; byte 902; byte 908; byte 915] x4: a test case is not an object
"#,
    ),
    (
        "rebel_raw_newline_in_string.json",
        r#"
3 cases of rebel 0.2.0
"#,
    ),
    (
        "rebel_scores_as_text.json",
        r#"
3 cases of rebel 0.2.0
broken rebel_scores_as_text.json [test_cases[0]]: a score is not a number, and counts as NaN
unknown rebel_scores_as_text.json [test_cases[1]]: a verdict is none of passed, failed, error, and counts as error
mismatch rebel_scores_as_text.json [test_cases[2]]: fewer results than attempts were planned: failed requests leave no record
"#,
    ),
    (
        "rebel_single_quotes.json",
        r#"
unrecognised rebel_single_quotes.json [file]: text that is no known format; it starts with "{'metadata': {'timestamp': '2026"
"#,
    ),
    (
        "rebel_trailing_comma.json",
        r#"
2 cases of rebel 0.2.0
broken rebel_trailing_comma.json [byte 880]: not valid JSON: a key was expected
"#,
    ),
    (
        "rebel_trailing_garbage.json",
        r#"
3 cases of rebel 0.2.0
broken rebel_trailing_garbage.json [byte 2470]: something follows the value; every test case is read
"#,
    ),
    (
        "rebel_utf16_half_unit.json",
        r#"
3 cases of rebel 0.2.0
truncated rebel_utf16_half_unit.json [byte 2468]: it ends inside an object; every test case is read
"#,
    ),
    (
        "rebel_utf32.json",
        r#"
unrecognised rebel_utf32.json [file]: binary data that is no known format; it starts with "��\0\0{\0\0\0\n\0\0\0 \0\0\0\"\0\0\0m\0\0\0e\0\0\0t\0\0\0"
"#,
    ),
    (
        "scalar.json",
        r#"
unrecognised scalar.json [file]: text that is no known format; it starts with "42\n"
"#,
    ),
    (
        "slop_evaluation_cut.json",
        r#"
1 cases of slop-code G2a
truncated slop_evaluation_cut.json [byte 446]: it ends inside a text; what comes before is used
missing partner slop_evaluation_cut.json [file]: no evaluation/report.json can be read: durations, failure texts and what was an error or skipped are unknown
"#,
    ),
    (
        "slop_outcomes_cut.json",
        r#"
4 cases of slop-code G1
truncated slop_outcomes_cut.json [byte 276]: it ends where a value was expected; what comes before is used
assumed slop_outcomes_cut.json [file]: problem and checkpoint are named after the folders: no file says
assumed slop_outcomes_cut.json [file]: reports.parquet is missing or unreadable: scores are the recorded ones, a case counts as passed when its score is 1, attributes are unknown
"#,
    ),
    (
        "slop_outcomes_wrong_types.json",
        r#"
5 cases of slop-code G1
broken slop_outcomes_wrong_types.json [byte 192]: something else stands where a group should be
broken slop_outcomes_wrong_types.json [byte 102; byte 118] x2: a score is not a number
unknown slop_outcomes_wrong_types.json [file]: the group type "Nope" is unknown
assumed slop_outcomes_wrong_types.json [file]: reports.parquet is missing or unreadable: scores are the recorded ones, a case counts as passed when its score is 1, attributes are unknown
"#,
    ),
    (
        "slop_rows_wrong_types.jsonl",
        r#"
0 cases of slop-code G2d
broken slop_rows_wrong_types.jsonl [line 4, byte 5082]: not valid JSON: the line ends inside a value
broken slop_rows_wrong_types.jsonl [line 5, byte 5098]: a line is no object
duplicate slop_rows_wrong_types.jsonl [inventory_api / checkpoint_1]: two rows are about the same checkpoint
"#,
    ),
    (
        "slop_tests_list_wrong_types.json",
        r#"
4 cases of slop-code G2a
broken slop_tests_list_wrong_types.json [byte 396; byte 404; byte 409] x3: something else stands where a test should be
missing partner slop_tests_list_wrong_types.json [file]: no evaluation/report.json can be read: durations, failure texts and what was an error or skipped are unknown
unknown slop_tests_list_wrong_types.json [file]: the group type "Nope" is unknown
unknown slop_tests_list_wrong_types.json [file]: the group type "" is unknown
duplicate slop_tests_list_wrong_types.json [byte 547]: the id "test_ok" occurs more than once in "checkpoint_3-Core"
mismatch slop_tests_list_wrong_types.json [pytest_collected]: pytest collected 2 tests, the file has 4
"#,
    ),
    (
        "slop_tests_number.json",
        r#"
unrecognised slop_tests_number.json [file]: JSON without the keys of a known format; it starts with "{\n \"schema_version\": 1,\n \"proble"
"#,
    ),
    (
        "slop_tests_wrong_types.json",
        r#"
3 cases of slop-code G2d
broken slop_tests_wrong_types.json [byte 264; byte 271; byte 295; byte 314; byte 346] x5: something else stands where a test should be
missing partner slop_tests_wrong_types.json [file]: no evaluation/report.json can be read: durations, failure texts and what was an error or skipped are unknown
unknown slop_tests_wrong_types.json [file]: the group type "Odd" is unknown
"#,
    ),
    (
        "tar_bad_checksum.tar.gz",
        r#"
1 cases of rebel 0.2.0
broken tar_bad_checksum.tar [byte 2560]: the checksum of a header in the tar does not match, nothing after it can be read
"#,
    ),
    (
        "tar_bomb.tar.gz",
        r#"
1 cases of rebel 0.2.0
limit tar_bomb.tar/zeros0.json.gz [file]: gzip data expands past the limit of 18374000 bytes
limit tar_bomb.tar/zeros1.json.gz [file]: gzip data expands past the limit of 18374000 bytes
"#,
    ),
    (
        "tar_first_header.tar",
        r#"
broken tar_first_header.tar [file]: damaged tar data: the checksum of its first header does not match
"#,
    ),
    (
        "tar_huge_claim.tar",
        r#"
0 cases of rebel 0.2.0
truncated tar_huge_claim.tar/run/report.json [file]: the tar ends inside it, 1000 of 4611686018427387904 bytes are there
truncated tar_huge_claim.tar/run/report.json [byte 107]: test case 1 is cut off, nothing is kept: it ends inside an object at byte 1000
"#,
    ),
    (
        "tar_links.tar.gz",
        r#"
1 cases of rebel 0.2.0
broken tar_links.tar/run/latest.json [file]: it is a symbolic link
broken tar_links.tar/run/same.json [file]: it is a hard link to another file of the tar
broken tar_links.tar/run/holes.json [file]: it is a sparse file, of which a tar holds only the parts
broken tar_links.tar/run/pipe [file]: it is a device
"#,
    ),
    (
        "tar_mixed.tar.gz",
        r#"
0 cases of rebel 0.2.0
1 cases of rebel 0.2.0
truncated tar_mixed.tar/run/broken.json [byte 107]: test case 1 is cut off, nothing is kept: it ends inside an object at byte 200
skipped tar_mixed.tar/run/snapshot [file]: left out 2 files in `snapshot`
skipped tar_mixed.tar/run/notes.txt [file]: text that is no known format; it starts with "remember the milk\n"
"#,
    ),
    (
        "tar_nested.tar.gz",
        r#"
limit tar_nested.tar/in.tar/in.tar/in.tar [file]: it is wrapped more than 4 times
"#,
    ),
    (
        "tar_no_end.tar.gz",
        r#"
1 cases of rebel 0.2.0
truncated tar_no_end.tar [byte 2560]: the tar has no end mark: files may be missing at its end
"#,
    ),
    (
        "tar_traversal.tar.gz",
        r#"
1 cases of rebel 0.2.0
1 cases of rebel 0.2.0
"#,
    ),
    (
        "tar_truncated.tar.gz",
        r#"
0 cases of rebel 0.2.0
1 cases of rebel 0.2.0
truncated tar_truncated.tar/run/again.json [file]: the tar ends inside it, 1000 of 1813 bytes are there
truncated tar_truncated.tar/run/again.json [byte 107]: test case 1 is cut off, nothing is kept: it ends inside an object at byte 1000
"#,
    ),
    (
        "whitespace.json",
        r#"
unrecognised whitespace.json [file]: the file is empty
"#,
    ),
    (
        "yaml_other.yaml",
        r#"
unrecognised yaml_other.yaml [file]: text that is no known format; it starts with "name: something else\nsteps:\n  - "
"#,
    ),
    (
        "zip_bad_checksum.zip",
        r#"
3 cases of rebel 0.2.0
broken zip_bad_checksum.zip/report.json [file]: the checksum in the zip does not match
"#,
    ),
    (
        "zip_bomb.zip",
        r#"
limit zip_bomb.zip/0.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/1.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/2.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/3.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/4.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/5.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/6.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/7.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/8.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/9.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/10.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/11.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/12.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/13.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/14.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/15.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/16.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/17.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/18.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/19.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/20.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/21.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/22.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/23.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/24.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/25.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/26.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/27.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/28.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/29.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/30.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/31.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/32.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/33.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/34.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/35.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/36.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/37.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/38.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
limit zip_bomb.zip/39.zip/zeros.json [file]: zip data expands past the limit of 18356000 bytes
"#,
    ),
    (
        "zip_empty.zip",
        r#"
unrecognised zip_empty.zip [file]: the zip holds no files
"#,
    ),
    (
        "zip_encrypted.zip",
        r#"
broken zip_encrypted.zip/report.json [file]: it is encrypted
"#,
    ),
    (
        "zip_flipped.zip",
        r#"
broken zip_flipped.zip/report.json [file]: damaged zip data: some bytes in it are wrong
"#,
    ),
    (
        "zip_mixed.zip",
        r#"
0 cases of rebel 0.2.0
3 cases of rebel 0.2.0
truncated zip_mixed.zip/run/broken.json [byte 98]: test case 1 is cut off, nothing is kept: it ends inside an object at byte 200
skipped zip_mixed.zip/run/snapshot [file]: left out 2 files in `snapshot`
skipped zip_mixed.zip/run/notes.txt [file]: text that is no known format; it starts with "remember the milk\n"
"#,
    ),
    (
        "zip_nested.zip",
        r#"
limit zip_nested.zip/level_5.zip/level_4.zip/level_3.zip/level_2.zip [file]: it is wrapped more than 4 times
"#,
    ),
    (
        "zip_traversal.zip",
        r#"
3 cases of rebel 0.2.0
3 cases of rebel 0.2.0
3 cases of rebel 0.2.0
"#,
    ),
    (
        "zip_truncated.zip",
        r#"
broken zip_truncated.zip [file]: damaged zip data: the list of files at its end is missing, so it is probably cut off
"#,
    ),
    (
        "zstd_truncated.json.zst",
        r#"
broken zstd_truncated.json.zst [file]: damaged zstd data: it ends too early
"#,
    ),
];
