/** What is said before somebody is signed in, and what the page says of conversations and people anywhere. */
import type { ReactNode } from "react";
import { inLanguage } from "../language";

const own = inLanguage("door", {
    // App.tsx
    notLoaded: "The server cannot be reached, or has a newer version of this page.",
    reloadThePage: "Reload the page",

    // SignIn.tsx
    createAnAccount: "Create an account",
    signIn: "Sign in",
    signInToParley: "Sign in to Parley",
    registerLead: "Choose how others find you.",
    signInLead: "Good to see you again.",
    username: "Username",
    name: "Name",
    nameHint: "Others see it beside what you write.",
    password: "Password",
    registrationCode: "Registration code",
    proof: (link: (words: string) => ReactNode) => <>This server wants to know that you are no program.{" "}
        {link("Open its page")}, and paste the token that it gives.</>,
    token: "Token",
    creating: "Creating …",
    signingIn: "Signing in …",
    createAccount: "Create account",
    haveAccount: "You have an account?",
    newHere: "You are new here?",
    optional: "(optional)",

    // kit.ts
    file: "File",
    voiceMessage: "Voice message",
    group: "Group",
    notesToYourself: "Notes to yourself",
    conversation: "Conversation",
    you: "You",
    somebody: "Somebody",
    messageGone: "The message is no longer shown.",
    deletedUser: "Deleted user",
    stillOpening: "The page is still opening. Try again in a moment.",
    signedOut: "You were signed out on this device. Sign in again.",
    working: "Doing some work for the server …",
    personGone: "This person is no longer here.",
    deviceName: (browser: string, system: string) => `${browser} on ${system}`,

    // model.ts
    failed: "Something went wrong. Try again.",
});

export type Door = typeof own;
export const say = own;
