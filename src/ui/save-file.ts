/** Saves a text as a file through the browser. */
export function saveFile(text: string, fileName: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
  const link = document.createElement('a')
  link.href = url
  link.download = fileName
  link.click()
  // The browser has taken the blob by the time a minute is over; revoking at once would cancel a slow start.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
