import { describe, expect, it } from 'vitest';
import { npmKeys, type SignedVersion, signatureProblem } from '../../../app/packages/newest-version.ts';
import { signer } from './signing.ts';

/** As npm published and signed it. */
const claude: SignedVersion = {
  name: '@anthropic-ai/claude-code-linux-x64',
  version: '2.1.117',
  integrity: 'sha512-bhN6qnc9xchKQqKWdwuZazEeSO+9NIhOPcoD/WgqTK5QRPSAwnvo5SZWIQUbkNbTKLaMwuxAu3u+Fj/jYbiidg==',
  signatures: [
    {
      keyid: 'SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U',
      sig: 'MEUCIQDUymbxQflsibDfoYq28KKCAIPKbssiUho979lCvEJezQIgHBj/rmNW7BgE8R6GHIAnv92KP0had6nmBupG7SgB7zA=',
    },
  ],
};

/** Signed with the key that npm had before. */
const older: SignedVersion = {
  name: 'tool5',
  version: '5.0.1',
  integrity: 'sha512-gPClNFHEACDPrNPIY9nQ5CtgNzXLek1VKLkenI/RRKrrWSSyIVte0HloLzyQJFW0bXgFnv5TgtcUM+xHE7B6/w==',
  signatures: [
    {
      keyid: 'SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA',
      sig: 'MEYCIQDhX2SZFZyV3rBaQp/tH0NRk1YWw6rF2KrietBA6xDIFQIhANJcAYMSl+mvNefhpxjyApSUK/CXFEnCeUSEQf113OPI',
    },
  ],
};

const now = Date.now();
const other = { ...claude, integrity: `sha512-${'A'.repeat(86)}==` };

describe('a signature of npm', () => {
  it('is of what npm published, by the keys that are in the repository', () => {
    expect(signatureProblem(claude, npmKeys, now)).toBeNull();
    expect(signatureProblem(older, npmKeys, Date.parse('2024-10-10'))).toBeNull();
  });

  it.each<[string, SignedVersion]>([
    ['other bytes', other],
    ['another version', { ...claude, version: '2.1.118' }],
    ['another package', { ...claude, name: '@anthropic-ai/claude-code-linux-arm64' }],
    [
      'a signature of another version',
      { ...claude, signatures: older.signatures.map(({ sig }) => ({ ...claude.signatures[0]!, sig })) },
    ],
    ['no signature at all under a known name', { ...claude, signatures: [{ ...claude.signatures[0]!, sig: '' }] }],
  ])('is not one of %s', (_what, changed) => {
    expect(signatureProblem(changed, npmKeys, now)).toBe('wrong');
  });

  it('counts by a key that is known and has not expired', () => {
    expect(signatureProblem({ ...claude, signatures: [] }, npmKeys, now)).toBe('unsigned');
    expect(signatureProblem(older, npmKeys, now)).toBe('expired-key');
    expect(signatureProblem(older, npmKeys, null)).toBeNull();
    const stranger = signer('SHA256:stranger');
    const signatures = stranger.signatures(claude.name, claude.version, other.integrity);
    expect(signatureProblem({ ...other, signatures }, npmKeys, now)).toBe('unknown-key');
    expect(signatureProblem({ ...other, signatures }, [stranger.key], now)).toBeNull();
  });

  it('made with another key under the name of a known one is none', () => {
    const forger = signer(npmKeys[0]?.keyid);
    const signatures = forger.signatures(other.name, other.version, other.integrity);
    expect(signatureProblem({ ...other, signatures }, npmKeys, now)).toBe('wrong');
  });

  it('of an unknown key beside a known one changes nothing', () => {
    const stranger = signer('SHA256:stranger');
    const more = stranger.signatures(claude.name, claude.version, claude.integrity);
    expect(signatureProblem({ ...claude, signatures: [...more, ...claude.signatures] }, npmKeys, now)).toBeNull();
    const changed = stranger.signatures(other.name, other.version, other.integrity);
    expect(signatureProblem({ ...other, signatures: [...changed, ...claude.signatures] }, npmKeys, now)).toBe('wrong');
  });
});
