/** What is said of other ways to sign in than by a password. */
import { inLanguage } from "../language";

const own = inLanguage("ways", {
    // Ways.tsx
    otherWays: "Other ways to sign in",
    or: "or",
    signInWith: (issuer: string) => `Sign in with ${issuer}`,
    goOn: "Go on",
    asGuest: "Continue as a guest",
    forgotten: "Forgot your password?",
    newPassword: "A new password",
    newPasswordLead: "Where do you get mail? A code goes to that address, if you confirmed it in your profile.",
    email: "Email address",
    mailCode: "Mail me a code",
    mailed: "If somebody here confirmed this address, a code is on its way to it. It is good for 15 minutes, once.",
    mailedCode: "Code from the mail",
    setPassword: "Set the password",
    passwordSet: "Your password is set, and all your devices are signed out. Sign in with it.",
    back: "Back",
    byAnotherDevice: "Sign in by another device",
    byAnotherDeviceHint:
        "Where you are signed in, open Settings, go to “Sign in a device”, and scan or type this code within two minutes.",
    codeForIt: "Code",
    codeAsPicture: "The code, to scan",
    anotherCode: "Another code",

    // SigningIn.tsx
    howYouSignIn: "How you sign in",
    yourPassword: "Your password",
    username: "Username",
    keepThisAccount: "Keep this account",
    guestHint: "You are a guest: only this device is you. With a username and a password you can come back.",
    noPassword: "You have no password. “Forgot your password?” on the page to sign in sets one, by mail.",
    changePassword: "Change the password",
    endOtherDevices: "Sign out my other devices",
    passwordChanged: "The password is changed.",
    signsYouIn: "What signs you in besides",
    noMore: "Nobody here any more",
    since: (time: string) => `since ${time}`,
    remove: (issuer: string) => `Remove ${issuer}`,
    removeIt: "Remove",
    removeMeans: (issuer: string) => `${issuer} signs you in no more. Your devices stay signed in.`,
    addIt: "Add it",
    addMeans: "What you just signed in with will sign you in here, too.",
    showThatItIsYou: "You have no password. To show that it is you, sign in once more with what you have.",
    goOnWith: (issuer: string) => `Go on with ${issuer}`,
    alsoBy: (issuer: string) => `Also sign in with ${issuer}`,
    cancel: "Cancel",
    confirmEmail: "Confirm the address",
    confirmHint: (email: string) =>
        `${email} is not confirmed. With a code that is mailed to it, you can set a new password if you forget yours.`,
    signInADevice: "Sign in a device",
    codeOfTheDevice: "Code that the device shows",
    codeOfTheDeviceHint: "Type only a code that you see on a device of your own.",
    approveAsk: (name: string, address: string) => `${name}, at ${address}, will be signed in as you.`,
    aDevice: "A device without a name",
    lookAtIt: "Look at it",
    letItIn: "Sign it in",
    deviceSignedIn: "The device is signed in.",
});

export type Ways = typeof own;
export const say = own;
