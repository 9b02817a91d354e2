const SLICE = 8 << 20;
onmessage = async ({ data: { mode, files } }) => {
  const from = performance.now();
  let bytes = 0, rows = 0, sum = 0;
  for (const file of files) {
    if (mode === 'read') {
      for (let at = 0; at < file.size; at += SLICE) bytes += (await file.slice(at, at + SLICE).arrayBuffer()).byteLength;
      continue;
    }
    let rest = '';
    const decoder = new TextDecoder();
    const line = (text) => {
      if (!text) return;
      const row = JSON.parse(text);
      rows += 1;
      sum += row.grades?.quality?.score ?? 0;
    };
    for (let at = 0; at < file.size; at += SLICE) {
      const part = await file.slice(at, at + SLICE).arrayBuffer();
      bytes += part.byteLength;
      const lines = (rest + decoder.decode(part, { stream: true })).split('\n');
      rest = lines.pop();
      lines.forEach(line);
    }
    line(rest);
  }
  postMessage({ mode, ms: performance.now() - from, bytes, rows, sum });
};
