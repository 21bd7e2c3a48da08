/** The mark of the program: a lens with a cross of sights. */
export function Logo() {
  return (
    <svg
      width="18"
      height="18"
      viewBox="0 0 18 18"
      fill="none"
      stroke="currentColor"
      strokeWidth="2"
      aria-hidden="true"
    >
      <circle cx="7.5" cy="7.5" r="5.5" />
      <path d="M11.5 11.5 16 16M5 7.5h5M7.5 5v5" />
    </svg>
  )
}
