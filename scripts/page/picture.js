// Pictures of charts.

/** Downloads a picture of an SVG document, twice its size. The program hands the document over. */
export async function savePng(svg, name) {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = document.createElement('canvas');
  [canvas.width, canvas.height] = [image.width * 2, image.height * 2];
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(url);
  const blob = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
  const anchor = document.createElement('a');
  [anchor.href, anchor.download] = [URL.createObjectURL(blob), name];
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 60_000);
}
