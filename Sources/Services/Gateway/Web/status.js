// Shows the state of the cluster, from GET /health, and how to connect to it.

const state = document.querySelector("#state");
const table = document.querySelector("table");
const origin = location.origin.replace(/^http/, "ws");

for (const [place, text] of [["#socket", `${origin}/v1/socket`], ["#register", `parley register zoe --url ${origin}`]]) {
  const element = document.querySelector(place);
  if (element) element.textContent = text;
}

function element(name, text, className = "") {
  const made = document.createElement(name);
  made.textContent = text;
  made.className = className;
  return made;
}

function row([name, service]) {
  const made = document.createElement("tr");
  const replicas = service.replicas ?? [service];
  const ready = replicas.filter((replica) => replica.ready).length;
  const cell = element("td", service.ready ? "ready" : service.live ? "not ready" : "not reached", service.ready ? "good" : "bad");
  for (const reason of service.reasons) cell.append(element("small", reason));
  made.append(element("td", name), element("td", `${ready} of ${replicas.length}`), cell);
  return made;
}

function show(text, isGood) {
  state.textContent = text;
  state.className = isGood ? "good" : "bad";
}

async function refresh() {
  try {
    const response = await fetch("/health", { signal: AbortSignal.timeout(4000) });
    const health = await response.json();
    const services = Object.entries(health.services);
    table.tBodies[0].replaceChildren(...services.map(row));
    table.hidden = false;
    const isReady = health.status === "ready";
    show(isReady ? "The cluster is ready." : "The cluster is not ready.", isReady);
  } catch {
    show("The gateway does not answer.", false);
  }
}

await refresh();
setInterval(() => { if (!document.hidden) refresh(); }, 5000);
document.addEventListener("visibilitychange", () => { if (!document.hidden) refresh(); });
