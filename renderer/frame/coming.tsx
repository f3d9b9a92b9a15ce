import type { ComponentType } from 'react';
import { Empty } from '../parts/empty.tsx';
import { Clock } from '../parts/icons.tsx';
import { ViewHead } from './view-head.tsx';

/** A place whose view is not in this version. */
export function coming(title: string): ComponentType {
  return function Coming() {
    return (
      <>
        <ViewHead title={title} />
        <Empty icon={<Clock size={24} />} title={`${title} isn’t in this version yet`}>
          The terminal has it: run “jumpseat --help”.
        </Empty>
      </>
    );
  };
}
