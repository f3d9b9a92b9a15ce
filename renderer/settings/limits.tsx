import type { Preferences } from '../../app/api/settings.ts';
import { useApp } from '../state/services.ts';
import { Field } from './field.tsx';

/** What a person allows at most. What goes over is answered with 429, in the client's own words. */
export function LimitSettings({ preferences }: { preferences: Preferences }) {
  const { limits } = preferences;
  const world = useApp().quota?.world ?? 'unknown';
  return (
    <>
      <Field
        name="limits.askBeforeBurst"
        preferences={preferences}
        help={`Hold new user prompts when more than ${limits.burstPerMinute} requests started within a minute.`}
      />
      <Field name="limits.askBeforeOverage" preferences={preferences} segmented />
      <Field name="limits.requestsPerMinute" preferences={preferences} />
      {amounts.map(({ unit, names }) =>
        names.map(
          (name) =>
            ((world === 'premium') === (unit === 'premium') || limits[name] !== null) && (
              <Field key={name} name={`limits.${name}`} preferences={preferences} />
            ),
        ),
      )}
      {(limits.creditsPerMonth ?? limits.premiumRequestsPerMonth) !== null && (
        <Field name="limits.monthUsedUp" preferences={preferences} segmented />
      )}
    </>
  );
}

/** What is not counted in an account's plan is shown where it is set. */
const amounts = [
  { unit: 'credits', names: ['creditsPerDay', 'creditsPerMonth'] },
  { unit: 'premium', names: ['premiumRequestsPerDay', 'premiumRequestsPerMonth'] },
] as const;
