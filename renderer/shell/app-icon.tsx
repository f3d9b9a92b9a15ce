export function AppIcon() {
  return (
    <svg className="app-icon" viewBox="0 0 32 32" width="22" height="22" aria-hidden="true">
      <rect x="1" y="1" width="30" height="30" rx="7" fill="#1b2438" />
      <path
        d="M8.5 5.5h7.5a2 2 0 0 1 2 2V13a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2.4l1-5A2.5 2.5 0 0 1 8.5 5.5z"
        fill="#7cc0ff"
      />
      <g fill="none" strokeLinecap="round" strokeLinejoin="round">
        <path d="M24.5 20v7L13 21.5" stroke="#aeb9c9" strokeWidth="2" />
        <path d="M23 20H8" stroke="#ff8a5c" strokeWidth="4" />
        <path d="M24 7v13" stroke="#f6f8fa" strokeWidth="4" />
      </g>
    </svg>
  );
}
