// Two readers of Parquet, each decoding the columns that Evalglass needs for scores, from a file as the browser gives it.
import { parquetMetadataAsync, parquetReadObjects } from 'hyparquet';
import { compressors } from 'hyparquet-compressors';
import init, { ParquetFile } from 'parquet-wasm';

const LEAVES = [
  'id', 'group', 'type', 'original_checkpoint', 'duration',
  'results.list.element.attribute', 'results.list.element.is_correct', 'results.list.element.weight',
];

/** `metadata` with no other leaf columns than `leaves`: hyparquet itself chooses among whole top columns only. */
function only(metadata, leaves) {
  let at = 0;
  const branch = (path) => {
    const element = metadata.schema[at];
    at += 1;
    const here = path === null ? [] : [...path, element.name];
    if (!element.num_children) return leaves.includes(here.join('.')) ? [element] : [];
    const below = Array.from({ length: element.num_children }, () => branch(here)).filter((one) => one.length);
    return below.length ? [{ ...element, num_children: below.length }, ...below.flat()] : [];
  };
  const wanted = ({ meta_data: { path_in_schema: path } }) => leaves.includes(path.join('.'));
  return {
    ...metadata,
    schema: branch(null),
    row_groups: metadata.row_groups.map((group) => ({ ...group, columns: group.columns.filter(wanted) })),
  };
}

/** Rows as objects, kept; `passed` counts cases without an attribute that is wrong. */
export async function hyparquet(file) {
  const buffer = { byteLength: file.size, slice: (from, to) => file.slice(from, to).arrayBuffer() };
  const from = performance.now();
  const metadata = only(await parquetMetadataAsync(buffer), LEAVES);
  const rows = await parquetReadObjects({ file: buffer, metadata, compressors });
  const ms = performance.now() - from;
  window.kept = rows;
  return { ms, rows: rows.length, passed: rows.filter((row) => row.results.every((one) => one.is_correct !== false)).length };
}

/** Arrow batches in the library's own memory: nothing is computed from them. */
export async function parquetWasm(file) {
  await init();
  const from = performance.now();
  const table = await (await ParquetFile.fromFile(file)).read({ columns: LEAVES });
  const ms = performance.now() - from;
  window.kept = table;
  return { ms, rows: table.recordBatches().reduce((sum, batch) => sum + batch.numRows, 0), decoded_bytes: table.getArrayMemorySize() };
}
