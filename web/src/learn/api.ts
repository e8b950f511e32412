/** The lessons of games, and questions about positions, as the server answers them. */

import { json } from "../api";
import { language } from "../language";
import type { Explanation, LessonAnswer, LessonStepView, LessonView } from "../protocol";

const path = (game: string): string => `/api/games/${encodeURIComponent(game)}/lesson`;
const spoken = (): string => `language=${language()}`;
const listed = (tried: readonly string[]): string => tried.map((one) => `tried=${encodeURIComponent(one)}&`).join("");

export const lesson = (game: string): Promise<LessonView> => json(`${path(game)}?${spoken()}`);

export const step = (game: string, number: number): Promise<LessonStepView> =>
  json(`${path(game)}/${number}?${spoken()}`);

export const tryAction = (game: string, number: number, action: number): Promise<LessonAnswer> =>
  json(`${path(game)}/${number}?${spoken()}`, { body: { action } });

export const explainInStep = (game: string, number: number, name: string): Promise<Explanation> =>
  json(`${path(game)}/${number}/explain?name=${encodeURIComponent(name)}&${spoken()}`);

export const whyNotInStep = (game: string, number: number, tried: readonly string[]): Promise<Explanation> =>
  json(`${path(game)}/${number}/why-not?${listed(tried)}${spoken()}`);

const table = (id: string): string => `/api/tables/${encodeURIComponent(id)}`;

export const explainAtTable = (id: string, token: string | undefined, name: string): Promise<Explanation> =>
  json(`${table(id)}/explain?name=${encodeURIComponent(name)}&${spoken()}`, { token: token ?? null });

export const whyNotAtTable = (id: string, token: string | undefined, tried: readonly string[]): Promise<Explanation> =>
  json(`${table(id)}/why-not?${listed(tried)}${spoken()}`, { token: token ?? null });
