// The page when it is a sealed report: results lie in its own file, are opened at once, and may be all that it opens.
// docs/sealed.md has the block's attributes.
import { parts } from './beside.js';
import { notice } from './hosted.js';

const READ_ONLY = 'This sealed report is read-only: it opens no further files.';

const block = document.getElementById('sealed');
const { view = '', drop = 'no', made = '', version = '', left = '' } = block?.dataset ?? {};

/** Whether there is such a block. */
export const isSealed = block !== null;
const isOpen = drop === 'yes';

/** Puts the view into the address, unless somebody asks for another one, and refuses files of a read-only report. */
export function beginSealed() {
  const { dataset } = document.documentElement;
  dataset.sealed = isOpen ? 'open' : 'closed';
  dataset.sealedWithout = left;
  if (!location.hash && view.startsWith('#/')) history.replaceState(null, '', view);
  if (isOpen) return;
  const refuse = (event) => {
    event.preventDefault();
    event.stopImmediatePropagation();
    if (['drop', 'click'].includes(event.type)) notice(READ_ONLY);
  };
  for (const type of ['dragenter', 'dragover', 'drop']) {
    addEventListener(type, (event) => { if (event.dataTransfer?.types.includes('Files')) refuse(event); }, true);
  }
  addEventListener('click', (event) => { if (event.target.matches?.('input[type="file"]')) refuse(event); }, true);
}

/** The results, as the program takes files: `[[[path, file]], []]`. */
export async function sealedFiles() {
  globalThis.evalglass.sources = undefined;
  try {
    const name = 'evalglass-report.json';
    return [[[name, new File([await parts.unpackedBlob(block.textContent)], name)]], []];
  } catch (error) {
    notice(`The results in this file cannot be unpacked; it may be cut off or damaged. (${error.message})`);
    throw error;
  }
}

/** Says above every page what this is. */
export function showSealed() {
  const line = document.getElementById('sealed-line');
  if (!line) return;
  const words = ['Sealed report', made && `made ${made} with Evalglass ${version}`, isOpen ? '' : 'read-only', left && `left out or replaced: ${left}`];
  line.textContent = words.filter(Boolean).join(' · ');
}
