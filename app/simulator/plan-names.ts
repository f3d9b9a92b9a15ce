/** The plans that the simulated person may have; `enterprise` is that of a company's own host. */
export const planNames = ['pro-plus', 'student', 'free', 'business', 'enterprise'] as const;
export type PlanName = (typeof planNames)[number];
