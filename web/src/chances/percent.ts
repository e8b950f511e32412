/** Chances as whole percentages. */

/** They add up to 100 if the chances add up to 1: what is rounded off goes to those that lost most of it. */
export function percentages(chances: readonly number[]): number[] {
  const exact = chances.map((chance) => chance * 100);
  const whole = exact.map(Math.floor);
  const rest = (seat: number): number => (exact[seat] ?? 0) - (whole[seat] ?? 0);
  const missing = Math.round(sum(exact)) - sum(whole);
  const order = chances.map((_, seat) => seat).sort((a, b) => rest(b) - rest(a) || a - b);
  const raised = new Set(order.slice(0, missing));
  return whole.map((percent, seat) => percent + (raised.has(seat) ? 1 : 0));
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0);
