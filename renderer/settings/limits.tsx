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
      <Field name="limits.requestsPerMinute" preferences={preferences} />
      {(world !== 'premium' || limits.creditsPerDay !== null) && (
        <Field name="limits.creditsPerDay" preferences={preferences} />
      )}
      {(world === 'premium' || limits.premiumRequestsPerDay !== null) && (
        <Field name="limits.premiumRequestsPerDay" preferences={preferences} />
      )}
    </>
  );
}
