// Runs in every worker: starts the workspace; in a worker that the workspace has started, a reader.
//
// All programs are of one compiled module. A reader gets it by a message, and its script lies in an address that the
// workspace has made: a page from disk can fetch nothing, and a worker there refuses addresses made by the page.

/** `programOf` gives the program's script a fresh start, `compiled` its module. */
export function startWorker(programOf, compiled) {
  // Thrown outside the promise, where the page hears of it.
  const thrown = (error) => setTimeout(() => { throw error; });
  const begin = async (module) => {
    const { memory } = await programOf()({ module_or_path: module });
    // Bytes of its heap; the benchmark asks.
    self.heapBytes = () => memory.buffer.byteLength;
  };
  if (self.name.startsWith('reader')) {
    self.onmessage = ({ data }) => { self.onmessage = null; begin(data).catch(thrown); };
    return;
  }
  const text = `(${startWorker})(${programOf});`;
  let address = null;
  compiled().then((module) => {
    // The workspace calls it, maybe never: what is made then may be forgotten only with the worker.
    self.startReader = (name) => {
      address ??= URL.createObjectURL(new Blob([text], { type: 'text/javascript' }));
      const reader = new Worker(address, { name });
      reader.postMessage(module);
      return reader;
    };
    return begin(module);
  }).catch(thrown);
}
