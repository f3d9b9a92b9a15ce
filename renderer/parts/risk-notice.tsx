import type { Way } from '../../app/api/account.ts';
import { wayRisk } from '../../app/words/admission.ts';
import { LinkButton } from './button.tsx';
import { Info } from './icons.tsx';

const riskPage = 'https://docs.github.com/site-policy/github-terms/github-terms-for-additional-products-and-features';

/** Told before the first sign-in, wherever that is: each way in has its own risk. */
export function RiskNotice({ way, openOutside }: { way: Way; openOutside: (address: string) => void }) {
  return (
    <p className="first-run-risk small muted">
      <Info size={16} />
      <span>
        {wayRisk[way]} <LinkButton onClick={() => openOutside(riskPage)}>What that means</LinkButton>
      </span>
    </p>
  );
}
