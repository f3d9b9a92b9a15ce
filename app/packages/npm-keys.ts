/** A public key with which a registry signs what is published. */
export interface SigningKey {
  /** As a signature names it: `SHA256:…`. */
  keyid: string;
  /** In base64: SubjectPublicKeyInfo of a P-256 key. */
  key: string;
  /** ISO time from which on nothing is signed with it; null: not set. */
  expires: string | null;
}

/**
 * The keys of the public npm registry, as its address `/-/npm/v1/keys` gives them. Taken from corepack 0.34.7 of
 * Node.js (dist/lib/corepack.cjs), which carries them for the same end. What is fetched at a person's word in a version
 * that Jumpseat was not built for has to be signed with one of them.
 */
export const npmKeys: readonly SigningKey[] = [
  {
    keyid: 'SHA256:DhQ8wR5APBvFHLF/+Tc+AYvPOdTpcIDqOhxsBHRwC7U',
    key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEY6Ya7W++7aUPzvMTrezH6Ycx3c+HOKYCcNGybJZSCJq/fd7Qa8uuAKtdIkUQtQiEKERhAmE5lMMJhP8OkDOa2g==',
    expires: null,
  },
  {
    keyid: 'SHA256:jl3bwswu80PjjokCgh0o2w5c2U4LhQAE57gj9cz1kzA',
    key: 'MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE1Olb3zMAFFxXKHiIkQO5cJ3Yhl5i6UPp+IhuteBJbuHcA5UogKo0EWtlWwW6KSaKoTNEYL7JlCQiVnkhBktUgg==',
    expires: '2025-01-29T00:00:00.000Z',
  },
];
