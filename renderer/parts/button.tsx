import type { ButtonHTMLAttributes, ReactNode } from 'react';

export interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  look?: 'plain' | 'primary' | 'quiet' | 'danger';
  large?: boolean;
  icon?: ReactNode;
}

export function Button({ look = 'plain', large = false, icon, className, children, ...rest }: ButtonProps) {
  const classes = ['button', look === 'plain' ? '' : look, large ? 'large' : '', className ?? ''];
  return (
    <button type="button" className={classes.filter(Boolean).join(' ')} {...rest}>
      {icon}
      {children}
    </button>
  );
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** What it does; also its tooltip. */
  label: string;
  icon: ReactNode;
}

export function IconButton({ label, icon, className, ...rest }: IconButtonProps) {
  return (
    <button
      type="button"
      className={['button', 'quiet', 'icon', className ?? ''].filter(Boolean).join(' ')}
      aria-label={label}
      title={label}
      {...rest}
    >
      {icon}
    </button>
  );
}

/** Looks like a link and does something here. */
export function LinkButton({ className, ...rest }: ButtonHTMLAttributes<HTMLButtonElement>) {
  return <button type="button" className={['link', className ?? ''].filter(Boolean).join(' ')} {...rest} />;
}
