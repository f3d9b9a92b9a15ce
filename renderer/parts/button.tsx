import classNames from 'classnames';
import type { ButtonHTMLAttributes, ReactNode } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  /** Small: within a line of words. Large: what a page is there for. */
  size?: 'small' | 'large';
  icon?: ReactNode;
}

export function Button({ look = 'plain', size, icon, className, children, ...rest }: ButtonProps) {
  return (
    <button type="button" className={classNames('button', look !== 'plain' && look, size, className)} {...rest}>
      {icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it does; also its tooltip. */
  label: string;
  icon: ReactNode;
  size?: ButtonProps['size'];
}

export function IconButton({ label, icon, size, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={classNames('button', 'quiet', 'icon', size, className)}
      aria-label={label}
      title={label}
      {...rest}
    >
      {icon}
    </button>
  );
}

interface LinkButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** In no sentence. */
  alone?: boolean;
}

/** Looks like a link and does something here. */
export function LinkButton({ alone, className, ...rest }: LinkButtonProps) {
  return <button type="button" className={classNames('link', { alone }, className)} {...rest} />;
}
