import { lines, read } from './lines.mjs';

onmessage = async ({ data: { mode, files } }) => {
  const { kept, ...result } = await (mode === 'read' ? read : lines)(files);
  self.kept = kept;
  postMessage(result);
};
