/** What is said around the inbox and in a conversation. */
import type { ReactNode } from "react";
import { inLanguage } from "../language";
import { plural } from "../plural";
import { say as door } from "./door";

const own = inLanguage("shell", {
    // Banner.tsx
    newVersion: (button: (words: string) => ReactNode) =>
        <>A new version of this page is ready. {button("Reload")}</>,
    unsent: (count: number) => plural(count, {
        one: "1 message is not sent yet.", other: "# messages are not sent yet.",
    }),
    youAreOffline: "You are offline.",
    connecting: "Connecting …",
    takesNoMessages: "The server takes no messages at the moment.",
    clockAhead: (time: string) =>
        `The clock of this device is ${time} ahead. Days and times may look wrong until you set it.`,
    clockBehind: (time: string) =>
        `The clock of this device is ${time} behind. Days and times may look wrong until you set it.`,

    // Composer.tsx
    write: "Write",
    cancelEditing: "Cancel editing",
    cancelTheReply: "Cancel the reply",
    tooLong: (count: number) => plural(count, {
        one: "The message is longer than the server takes: 1 byte too many.",
        other: "The message is longer than the server takes: # bytes too many.",
    }),
    peopleToMention: "People to mention",
    emoji: "Emoji",
    attachFiles: "Attach files",
    filesToAttach: "Files to attach",
    message: "Message",
    recordAVoiceMessage: "Record a voice message",
    save: "Save",
    send: "Send",

    // Dialog.tsx
    close: "Close",

    // Fired.tsx
    reminder: (name: string) => `Reminder: ${name}`,
    done: "Done",
    in10Minutes: "In 10 minutes",
    tomorrow: "Tomorrow",
    show: "Show",

    // Inbox.tsx
    search: "Search",
    newConversation: "New conversation",
    account: "Account",
    yourProfile: "Your profile",
    agenda: "Agenda",
    mentions: "Mentions",
    starredMessages: "Starred messages",
    archivedConversations: "Archived conversations",
    settings: "Settings",
    keyboard: "Keyboard",
    stateOfTheServer: "State of the server",
    signOut: "Sign out",
    conversations: "Conversations",
    requests: "Requests",
    newCount: (count: number) => plural(count, { other: "# new" }),
    noConversationsYet: "No conversations yet.",
    findSomebody: "Find somebody",
    guest: "Guest",
    youAreAGuest: "You are a guest",
    goneBySigningOut: "Once this device is signed out, nobody can come back to this account. To keep it, choose a username "
        + "and a password in Settings.",
    notAllSent: "Not all is sent yet",
    lostBySigningOut: (count: number) => plural(count, {
        one: "Signing out also removes 1 message that is not sent yet.",
        other: "Signing out also removes # messages that are not sent yet.",
    }),
    staySignedIn: "Stay signed in",
    muted: "Muted",
    pinned: "Pinned",
    isTyping: "is typing …",
    youAreMentioned: "You are mentioned",
    unread: (count: number) => plural(count, { other: "# unread" }),
    markedAsUnread: "Marked as unread",
    youAreInvited: "You are invited",
    aNewGroup: "A new group",
    noMessagesYet: "No messages yet",
    messageDeleted: "Message deleted",

    // Later.tsx
    loadingTitle: "Loading",
    loading: "Loading …",
    partNotLoaded: "This part could not be loaded",
    partNotLoadedWhy: "The server cannot be reached, or has a newer version of this page.",

    // MessageList.tsx
    goToEndUnread: (count: number) => plural(count, { other: "Go to the end, # unread" }),
    goToEnd: "Go to the end",

    // MessageRow.tsx
    newMessages: "New",
    forwarded: (name: ReactNode) => <>Forwarded, first by {name}</>,
    selected: "Selected",
    answers: (name: string, quote: string) => `Answers ${name}: ${quote}`,
    forwardedByYou: "A message that you forward",
    starred: "Starred",
    edited: "edited",
    react: "React",
    reactWith: (emoji: string) => `React with ${emoji}`,
    reactWithAnotherEmoji: "React with another emoji",
    reactions: "Reactions",
    replies: (count: number) => plural(count, { one: "1 reply", other: "# replies" }),
    notSentFull: "Not sent.",
    tryAgain: "Try again",
    discard: "Discard",
    anEvent: (title: ReactNode, time: string) => <>An event? {title}{time && `, ${time}`}</>,
    aReminder: (title: ReactNode, time: string) => <>A reminder? {title}{time && `, ${time}`}</>,
    aDecision: (title: ReactNode, time: string) => <>A decision? {title}{time && `, ${time}`}</>,
    going: "Going",
    invite: "Invite",
    remindMe: "Remind me",
    recordIt: "Record it",
    suggestion: (name: string) => `Suggestion: ${name}`,
    dismiss: "Dismiss",
    waitingToBeSent: "Waiting to be sent",
    notSent: "Not sent",
    sent: "Sent",
    delivered: "Delivered",
    read: "Read",

    // Messages.tsx
    unstar: "Unstar",
    star: "Star",
    reply: "Reply",
    thread: "Thread",
    edit: "Edit",
    select: "Select",
    editingYourMessage: "Editing your message",
    answering: (name: string, text: string) => `Answering ${name}: ${text}`,
    messages: "Messages",
    noMemberReads: "You are no longer a member. You can read what was written before.",
    youCannotWriteInThis: "You cannot write in this conversation.",
    loadTheMessagesBetween: "Load the messages between",
    anEarlierMessage: "An earlier message",
    copy: "Copy",
    forwardAsk: "Forward …",
    remindMeAsk: "Remind me …",
    recordDecisionAsk: "Record a decision …",
    details: "Details",
    reportAsk: "Report …",
    deleteForMe: "Delete for me",
    deleteForEveryone: "Delete for everyone",

    // Talk.tsx
    messageNotHere: "This message is no longer here.",
    conversationWith: (name: string) => `Conversation with ${name}`,
    aboutTheGroup: "About the group",
    aboutTheConversation: "About the conversation",
    newEventAsk: "New event …",
    goToDateAsk: "Go to a date …",
    unpin: "Unpin",
    pin: "Pin",
    unmute: "Unmute",
    mute: "Mute",
    bringBackFromTheArchive: "Bring back from the archive",
    archive: "Archive",
    markAsUnread: "Mark as unread",
    blockPerson: (name: string) => `Block ${name}`,
    backToTheList: "Back to the list",
    searchInThisConversation: "Search in this conversation",
    personIsTyping: (name: string) => `${name} is typing …`,
    peopleAreTyping: (count: number) => plural(count, { other: "# people are typing …" }),
    notAnsweredYet: "Has not answered your request yet",
    noMember: "You are no longer a member",
    members: (count: number) => plural(count, { one: "1 member", other: "# members" }),
    request: "Request",
    invitesYou: (name: ReactNode, group: ReactNode) =>
        <>{name} invites you into the group {group}. You see its messages once you accept.</>,
    wouldLikeToWrite: (name: ReactNode) =>
        <>{name} would like to write with you. They do not see that you have read this.</>,
    block: "Block",
    decline: "Decline",
    accept: "Accept",

    // moments.ts
    inAnHour: "In an hour",
    thisEvening: "This evening",
    tomorrowMorning: "Tomorrow morning",
    onMonday: "On Monday",

    // presence.ts
    online: "Online",
    away: "Away",
    doNotDisturb: "Does not want to be disturbed",
    offline: "Offline",
    lastSeen: (time: string) => `Last seen ${time}`,

    // sizes.ts
    bytes: (count: number) => plural(count, { one: "1 byte", other: "# bytes" }),
    kilobytes: (size: string) => `${size} KB`,
    megabytes: (size: string) => `${size} MB`,
    gigabytes: (size: string) => `${size} GB`,

    // times.ts
    yesterday: "Yesterday",
    today: "Today",

    // shell.tsx
    noConversationIsOpen: "No conversation is open",
    chooseAConversation: "Choose a conversation.",
    findSomebodyToWriteTo: "Find somebody to write to.",

    // badge.ts

    // parts/Form.tsx
    cancel: "Cancel",

    // notes.ts
    joined: (name: string) => `${name} joined`,
    added: (name: string, whom: string) => `${name} added ${whom}`,
    left: (name: string) => `${name} left`,
    removed: (name: string, whom: string) => `${name} removed ${whom}`,
    namedTheGroup: (name: string, title: string) => `${name} named the group ${title}`,
    changedThePhoto: (name: string) => `${name} changed the photo`,
    madeOwner: (name: string, whom: string) => `${name} made ${whom} owner`,
    madeAdmin: (name: string, whom: string) => `${name} made ${whom} admin`,
    endedAdminRights: (name: string, whom: string) => `${name} ended the admin rights of ${whom}`,
    setMessagesToDisappear: (name: string, time: string) => `${name} set messages to disappear after ${time}`,
    setMessagesToStay: (name: string) => `${name} set messages to stay`,
    sharedADecision: (name: string) => `${name} shared a decision`,
    sharedAnEvent: (name: string) => `${name} shared an event`,
    unknownNote: "Something changed that this page does not know yet",
});

export type Shell = typeof own;
export const say = { ...door, ...own };
