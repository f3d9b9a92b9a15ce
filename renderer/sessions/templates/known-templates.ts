import { useCallback, useEffect, useMemo } from 'react';
import { createStore } from 'zustand/vanilla';
import type { TemplateFile } from '../../../app/api/calls/sessions.ts';
import { useAsked } from '../../state/asked.ts';
import { useServices } from '../../state/services.ts';
import { readTemplate, type Template } from './template-text.ts';

export interface KnownTemplate extends TemplateFile, Template {
  /** In a folder that isn’t trusted: somebody else may have written it. */
  isStrange: boolean;
}

export interface UsedTemplates {
  /** Null before they are known. */
  all: readonly KnownTemplate[] | null;
  /** Whether the person trusts the session's folder; null before it is known. */
  isTrusted: boolean | null;
  problem: string | null;
  /** Reads them anew: a file may have been changed by hand. */
  ask: () => void;
}

/** The templates that a session can use. */
export function useTemplates(session: string): UsedTemplates {
  const { bridge } = useServices();
  const { asked, again } = useAsked(useCallback(() => bridge.templates(session), [bridge, session]));
  const ask = useCallback(() => void again(), [again]);
  useEffect(() => {
    window.addEventListener('focus', ask);
    return () => window.removeEventListener('focus', ask);
  }, [ask]);
  const { last } = asked;
  const all = useMemo(() => {
    if (last === null) return null;
    return last.files
      .map((file) => ({
        ...{ ...file, ...readTemplate(file.raw) },
        isStrange: file.scope === 'folder' && !last.isTrusted,
      }))
      .filter(({ isPlain }) => isPlain)
      .sort((one, other) => one.name.localeCompare(other.name));
  }, [last]);
  const problem = asked.kind === 'failed' ? `${asked.text} ${asked.remedy}`.trim() : null;
  const isTrusted = last?.isTrusted ?? null;
  return useMemo(() => ({ all, isTrusted, problem, ask }), [all, isTrusted, problem, ask]);
}

/** What is shown of them. */
export type TemplateView =
  | { kind: 'list' }
  /** `before`: the one that is changed; null for a new one. */
  | { kind: 'edit'; text: string; before: KnownTemplate | null }
  /** `first`: what is in its first place already. */
  | { kind: 'fill'; template: KnownTemplate; first: string };

interface ShownTemplates {
  shown: { session: string; view: TemplateView } | null;
}

/** Opened from the field, from a prompt that was sent, and by a key. */
export const shownTemplates = createStore<ShownTemplates>(() => ({ shown: null }));

export function showTemplates(session: string, view: TemplateView): void {
  shownTemplates.setState({ shown: { session, view } });
}

export function closeTemplates(): void {
  shownTemplates.setState({ shown: null });
}
