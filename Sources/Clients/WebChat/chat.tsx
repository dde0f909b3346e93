import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./App";
import { open } from "./kit";
import { speak } from "./language";
import { register } from "./update";

/** The page: opens what this device keeps, shows it, and goes on from there. */
const place = document.getElementById("chat");
if (place) {
    const chat = open(location.origin.replace(/^http/, "ws"));
    register();
    const show = () => createRoot(place).render(<StrictMode><App chat={chat} /></StrictMode>);
    // A language that cannot be loaded leaves the page in English.
    void speak().catch(() => undefined).then(show);
}
