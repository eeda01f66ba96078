/** Logo. */
export function Mark({ size = 22 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 16 16" aria-hidden="true" focusable="false">
      <path
        d="M11 3.5v6a3.5 3.5 0 1 1-7 0V8"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeLinecap="round"
      />
      <circle cx="11" cy="2.5" r="1.75" fill="var(--accent)" />
    </svg>
  )
}
