import { useState } from 'react';
import type { Way } from '../../app/api/account.ts';
import { riskAtLength, wayRisk } from '../../app/words/admission.ts';
import { LinkButton } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Info } from './icons.tsx';

const terms = 'https://docs.github.com/site-policy/github-terms/github-terms-for-additional-products-and-features';

/** Shown before the first sign-in, wherever that is: each way in has its own risk. */
export function RiskNotice({ way, openOutside }: { way: Way; openOutside: (address: string) => void }) {
  const [isExplained, setExplained] = useState(false);
  return (
    <>
      <p className="first-run-risk small muted">
        <Info size={16} />
        <span>
          {wayRisk[way]} <LinkButton onClick={() => setExplained(true)}>What that means</LinkButton>
        </span>
      </p>
      {isExplained && (
        <Dialog wide title="The risk" cancel="Close" close={() => setExplained(false)} action={null}>
          {riskAtLength.map((text) => (
            <p key={text}>{text}</p>
          ))}
          <p>
            <LinkButton onClick={() => openOutside(terms)}>GitHub’s terms for Copilot</LinkButton>
          </p>
        </Dialog>
      )}
    </>
  );
}
