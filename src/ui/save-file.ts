/** Saves a text as a file through the browser. */
export function saveFile(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // Revoking immediately would cancel a slow start. After a minute the browser has read the blob.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
