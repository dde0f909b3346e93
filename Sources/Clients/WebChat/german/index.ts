import type { Language } from "../language";
import { attached } from "./attached";
import { door } from "./door";
import { parts } from "./parts";
import { refusals } from "./refusals";
import { shell } from "./shell";
import { ways } from "./ways";

/** What the page says in German. */
export const language: Language = { door, shell, attached, parts, ways, refusals };
