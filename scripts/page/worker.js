// Runs in the workspace's worker: starts the workspace, and readers whenever it asks for one.
//
// The script of a reader lies in an address that the workspace has made, and its compiled module comes by a message: a page
// from disk can fetch nothing, and a worker there refuses addresses made by the page. All readers have one module, which is
// loaded while the page stands idle. A read-only sealed report has none.

// The page that starts this worker early loads both programs and sends their modules (boot.js). The workspace, which listens to
// the page as well, does not get these messages.
if (self.location.hash === '#sent') {
  const take = {};
  const sent = (program) => {
    const module = new Promise((resolve, reject) => {
      take[program] = (data) => (data.module ? resolve(data.module) : reject(new Error(data.reason)));
    });
    // The program that waits for the module says it.
    module.catch(() => {});
    return () => module;
  };
  globalThis.compiled = { workspace: sent('workspace'), reader: sent('reader') };
  addEventListener('message', (event) => {
    const taken = take[event.data?.program];
    if (!taken) return;
    event.stopImmediatePropagation();
    taken(event.data);
  });
}

/** Gives the program of a function from `programOf` a module, and says where its memory is. */
async function startProgram(programOf, module) {
  const { memory } = await programOf()({ module_or_path: module });
  // Bytes of its heap; the benchmark asks.
  self.heapBytes = () => memory.buffer.byteLength;
}

// Thrown outside the promise, so that it reaches the error handler of the program that has started this worker.
const thrown = (error) => setTimeout(() => { throw error; });

/** Starts a program that has a worker for itself: the engine of the SQL page. */
export function startAlone(programOf, compiled) {
  compiled().then((module) => startProgram(programOf, module)).catch(thrown);
}

/** `programOf` gives a program's script a fresh start, `compiled` its module; `compiledReader` may be null. */
export function startWorkspace(programOf, compiled, readerOf, compiledReader) {
  const own = compiled();
  if (compiledReader) {
    const body = `self.onmessage = ({ data }) => {
      self.onmessage = null;
      (data instanceof WebAssembly.Module ? startProgram(readerOf, data) : Promise.reject(new Error(data))).catch(thrown);
    };`;
    const text = `const thrown = ${thrown};\n${startProgram}\nconst readerOf = ${readerOf};\n${body}`;
    const address = URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
    // Behind the workspace, which is needed first.
    const loading = own.then(compiledReader);
    // Said by the reader that cannot start for it.
    loading.catch(() => {});
    self.startReader = (name) => {
      const reader = new Worker(address, { name });
      // An error of a reader is no error of this program, even when it comes after the reader was given up.
      reader.addEventListener('error', (event) => event.preventDefault());
      loading.then((module) => reader.postMessage(module), (error) => reader.postMessage(`its program could not be loaded: ${error.message}`));
      return reader;
    };
  }
  startAlone(programOf, () => own);
}
