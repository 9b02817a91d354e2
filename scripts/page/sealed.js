// The page when it is a sealed report: results lie in its own file, are opened at once, and may be all that it opens.
// docs/sealed.md has the block's attributes.
import { parts } from './beside.js';
import { notice } from './hosted.js';

const READ_ONLY = 'This sealed report is read-only: it opens no further files.';

// The signature is shorter than this, in bytes.
const SIGNATURE = 8192;

const block = document.getElementById('sealed');
const { view = '', drop = 'no' } = block?.dataset ?? {};
// What the report says of its sealing, once it is unpacked.
let words = '';

/** Whether there is such a block. */
export const isSealed = block !== null;
const isOpen = drop === 'yes';

/** Puts the view into the address, unless somebody asks for another one, and refuses files of a read-only report. */
export function beginSealed() {
  document.documentElement.dataset.sealed = isOpen ? 'open' : 'closed';
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
  const name = 'evalglass-report.json';
  const report = await parts.unpackedBlob(block.textContent);
  await readSignature(report);
  return [[[name, new File([report], name)]], []];
}

// The last member of the report says when it was sealed, and without what; a long report is not parsed for that.
async function readSignature(report) {
  const end = await report.slice(-SIGNATURE).text();
  const at = end.lastIndexOf('"sealed":{');
  if (at < 0) return;
  const { made, version, left_out: left } = JSON.parse(end.slice(at + '"sealed":'.length, end.lastIndexOf('}')));
  words = ['Sealed report', made && `made ${made} with Evalglass ${version}`, isOpen ? '' : 'read-only',
    left.length > 0 && `left out or replaced: ${left.join(', ')}`].filter(Boolean).join(' · ');
  document.documentElement.dataset.sealedWithout = left.join(', ');
  showSealed();
}

/** Says above every page what this is. */
export function showSealed() {
  const line = document.getElementById('sealed-line');
  if (line) line.textContent = words;
}
