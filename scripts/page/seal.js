// Making a sealed report: the fields of the dialog, and the page's own single file with a block of results in it. The
// worker makes the block (src/export/seal/).
import { parts } from './beside.js';
import { element } from './hosted.js';

// What the block goes before, in the page's file: `NEXT` in src/export/seal/block.rs.
const BEHIND = '<script type="application/gzip" id="part-app"';
const MISSING = 'there is no evalglass.html beside this page, of which a sealed report is made. It belongs to every build of the page; open it and do the same there.';

// The reader program in it, which a report that opens no further files does without.
const READER = /<script type="application\/gzip" id="part-reader">[^<]*<\/script>\n/;
const NO_READER = 'a read-only sealed report cannot read files, so neither could a report made from it: leave "With drop enabled" out, or seal from evalglass.html.';

// The page's file that sizes were told of: the same is saved.
let file = '';

/** The fields of the dialog by name, with the size of the page's file and the time, as JSON. */
export async function sealForm() {
  file = await parts.file();
  if (!file.includes(BEHIND)) throw new Error(MISSING);
  const form = {};
  for (const { name, type, value, checked, disabled } of document.querySelectorAll('#seal-form [name]')) {
    if (type === 'checkbox') form[name] = checked && !disabled;
    else if (type !== 'radio') form[name] = value;
    else if (checked) form[name] = value !== '';
  }
  if (!form.open) file = file.replace(READER, '');
  else if (!READER.test(file)) throw new Error(NO_READER);
  const made = `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  return JSON.stringify({ ...form, made, page: new Blob([file]).size, before: document.documentElement.dataset.sealedWithout ?? '' });
}

/** Saves the page's file with `block` in it. */
export function saveSealed(block, name) {
  const at = file.indexOf(BEHIND);
  const href = URL.createObjectURL(new Blob([file.slice(0, at), block, file.slice(at)], { type: 'text/html' }));
  element('a', { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
  file = '';
}

/** What has been prepared holds no more once the form has changed; records go with details and transcripts. */
export function followForm() {
  document.addEventListener('input', ({ target }) => {
    const form = target.closest('#seal-form');
    if (!form) return;
    const box = (name) => form.querySelector(`[name="${name}"]`);
    box('raw').disabled = !(box('details').checked && box('transcripts').checked);
    const save = document.getElementById('seal-save');
    if (!save) return;
    save.disabled = true;
    save.nextElementSibling.textContent = 'Something was changed: prepare it again.';
  });
}
