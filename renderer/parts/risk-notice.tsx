import { LinkButton } from './button.tsx';
import { Info } from './icons.tsx';

const riskPage = 'https://docs.github.com/site-policy/github-terms/github-terms-for-additional-products-and-features';

/** Told before the first sign-in, wherever that is. */
export function RiskNotice({ openOutside }: { openOutside: (address: string) => void }) {
  return (
    <p className="first-run-risk small muted">
      <Info size={16} />
      <span>
        GitHub doesn’t support other programs on this service and may limit or suspend accounts that use them. Jumpseat
        never hides who started a request.{' '}
        <LinkButton onClick={() => openOutside(riskPage)}>What that means</LinkButton>
      </span>
    </p>
  );
}
