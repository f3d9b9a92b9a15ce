import fc from 'fast-check';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const word = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...letters), minLength: least, maxLength: most });

/** Made-up secrets of every shape that passes through this program. */
export const secretShapes = fc.oneof(
  fc
    .tuple(fc.constantFrom('ghu_', 'gho_', 'ghp_', 'ghs_', 'ghr_'), word(36, 36))
    .map(([prefix, rest]) => ({ text: prefix + rest, core: rest })),
  word(60, 82).map((rest) => ({ text: `github_pat_${rest}`, core: rest })),
  fc
    .tuple(word(16, 32), word(40, 64))
    .map(([id, mac]) => ({ text: `tid=${id};exp=1795000000;sku=copilot_pro;st=dotcom;8kp=1:${mac}`, core: mac })),
  word(24, 43).map((key) => ({ text: `Bearer ${key}.claude-code`, core: key })),
  word(24, 43).map((key) => ({ text: `authorization: token ${key}`, core: key })),
  word(40, 90).map((key) => ({ text: `sk-ant-api03-${key}`, core: key })),
  word(12, 30).map((password) => ({ text: `http://proxyuser:${password}@proxy.example:8080`, core: password })),
  word(24, 43).map((key) => ({ text: `/ui/start?once_key=${key}`, core: key })),
);
