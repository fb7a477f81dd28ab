// The pages work without this script; it draws charts over time, reads keys, and keeps what was typed.
"use strict";

document.documentElement.classList.add("scripted");

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

// Charts over time.

const locale = document.documentElement.dataset.locale || "en-GB";

// Beside English words no other language names a month.
const days = locale.startsWith("en") ? { day: "numeric", month: "short" } : { day: "2-digit", month: "2-digit" };

const seconds = (text) => Date.parse(text) / 1000;

function written(data) {
  const money = data.kind === "currency" && data.unit && data.unit.length === 3;
  const options = { notation: "compact", maximumFractionDigits: 1 };
  if (money) Object.assign(options, { style: "currency", currency: data.unit });
  else if (data.kind === "percentage") Object.assign(options, { style: "percent", notation: "standard" });
  const format = new Intl.NumberFormat(locale, options);
  return (value) => format.format(value);
}

function tick(at, data) {
  const options = { timeZone: data.zone, ...days };
  if (data.by === "hour") Object.assign(options, { hour: "2-digit", minute: "2-digit" });
  if (["month", "quarter", "year"].includes(data.by)) { delete options.day; options.year = "numeric"; }
  return new Intl.DateTimeFormat(locale, options).format(new Date(at * 1000));
}

// Labels at the ends of the lines say which is which, so that no legend is needed.
function labelled(data) {
  return (chart) => {
    const ctx = chart.ctx, ratio = devicePixelRatio;
    ctx.save();
    ctx.font = `500 ${12 * ratio}px ${getComputedStyle(document.body).fontFamily}`;
    ctx.textBaseline = "middle";
    ctx.textAlign = "left";
    const ends = data.lines.map((line, index) => {
      if (line.is_marks) return null;
      const values = chart.data[index + 1];
      let last = values.length - 1;
      while (last >= 0 && values[last] == null) last -= 1;
      return last < 0 ? null : { line, y: chart.valToPos(values[last], "y", true) };
    }).filter(Boolean).sort((a, b) => a.y - b.y);
    ends.forEach((end, index) => {
      if (index > 0) end.y = Math.max(end.y, ends[index - 1].y + 16 * ratio);
    });
    for (const { line, y } of ends) {
      ctx.fillStyle = colour(line.is_earlier ? "--faint" : "--accent");
      ctx.fillText(line.name, chart.bbox.left + chart.bbox.width + 8 * ratio, y);
    }
    ctx.restore();
  };
}

function tip(data) {
  let box;
  return {
    init: (chart) => {
      box = document.createElement("div");
      box.className = "tip";
      box.hidden = true;
      chart.over.append(box);
      chart.over.addEventListener("mouseleave", () => { box.hidden = true; });
    },
    setCursor: (chart) => {
      const { idx, left } = chart.cursor;
      if (idx == null || left < 0) { box.hidden = true; return; }
      box.replaceChildren();
      const head = document.createElement("div");
      head.textContent = data.names[idx];
      box.append(head);
      for (const line of data.lines) {
        const row = document.createElement("div");
        const value = document.createElement("b");
        value.textContent = line.formatted[idx] ?? "–";
        row.append(value, ` ${line.name}`);
        box.append(row);
      }
      box.hidden = false;
      const right = left > chart.over.clientWidth / 2;
      box.style.left = right ? "" : `${left + 12}px`;
      box.style.right = right ? `${chart.over.clientWidth - left + 12}px` : "";
      box.style.top = "8px";
    },
  };
}

function draw(figure) {
  const place = figure.querySelector(".canvas");
  const data = JSON.parse(figure.dataset.chart);
  place.replaceChildren();
  if (!data.at.length) { place.textContent = "There is nothing to draw in this range."; place.classList.add("empty"); return; }
  const number = (value) => (value === null ? null : Number(value));
  const columns = [data.at.map(seconds), ...data.lines.map((line) => line.values.map(number))];
  const shown = tip(data);
  const isNarrow = place.clientWidth < 480;
  const format = written(data);
  const axis = { stroke: colour("--faint"), grid: { stroke: colour("--line"), width: 1 }, ticks: { show: false }, font: `12px ${getComputedStyle(document.body).fontFamily}` };
  const options = {
    width: place.clientWidth,
    height: place.clientHeight,
    padding: [12, isNarrow ? 76 : 96, 0, 0],
    tzDate: (at) => uPlot.tzDate(new Date(at * 1000), data.zone),
    legend: { show: false },
    cursor: { y: false, drag: { x: false, y: false }, points: { size: 7 } },
    scales: { y: { range: (_, least, most) => [Math.min(0, least ?? 0), (most ?? 1) * 1.06 || 1] } },
    axes: [
      { ...axis, grid: { show: false }, space: 80, values: (_, ticks) => ticks.map((at) => tick(at, data)) },
      { ...axis, size: isNarrow ? 52 : 64, values: (_, ticks) => ticks.map(format) },
    ],
    series: [{}, ...data.lines.map((line) => ({
      label: line.name,
      stroke: colour(line.is_marks ? "--warn" : line.is_earlier ? "--faint" : "--accent"),
      paths: line.is_marks ? () => null : undefined,
      width: line.is_earlier ? 1 : 2,
      dash: line.is_earlier ? [4, 4] : undefined,
      points: line.is_marks ? { show: true, size: 9, fill: colour("--warn") } : { show: columns[0].length < 3 },
    }))],
    hooks: { init: [shown.init], setCursor: [shown.setCursor], draw: [labelled(data)] },
  };
  return new uPlot(options, columns, place);
}

function drawAll(root) {
  if (!window.uPlot) return;
  for (const figure of root.querySelectorAll("figure[data-chart]")) draw(figure);
}

// What scrolls can be reached by the keyboard.
function reach(root) {
  for (const box of root.querySelectorAll(".scroll, .tabs")) {
    if (box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
}

// On narrow screens the section and the tab that are shown may lie beside the window.
for (const own of document.querySelectorAll(".side [aria-current], .tabs [aria-current]")) {
  const box = own.closest(".side, .tabs");
  box.scrollLeft = own.offsetLeft + own.offsetWidth / 2 - box.clientWidth / 2;
}

let resizing;
addEventListener("resize", () => {
  clearTimeout(resizing);
  resizing = setTimeout(() => { drawAll(document); reach(document); }, 150);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => drawAll(document));

// Forms that are sent when a choice is made.

document.addEventListener("change", (event) => {
  const form = event.target.closest("form[data-submits]");
  if (!form || event.target.type === "date" && !form.reportValidity()) return;
  form.requestSubmit();
});

// One box for all of a page.
document.addEventListener("change", (event) => {
  const { all } = event.target.dataset;
  if (!all) return;
  for (const box of event.target.form.querySelectorAll(`input[name="${all}"]`)) box.checked = event.target.checked;
});

// Fields that are empty need no place in the address.
document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "get") return;
  for (const field of form.querySelectorAll("input, select")) {
    if (field.name && field.value === "" && field.type !== "search") field.disabled = true;
  }
  setTimeout(() => form.querySelectorAll(":disabled").forEach((field) => { field.disabled = false; }));
});

// A server that does not answer: the page says so and waits for it. What was typed stays.

const answers = () => fetch("/health/live", { cache: "no-store" }).then((answer) => answer.ok, () => false);

let isWaiting = false;
async function waitForServer() {
  if (isWaiting) return;
  isWaiting = true;
  const line = document.createElement("p");
  line.className = "failed";
  line.setAttribute("role", "alert");
  line.textContent = "The server does not answer. What you typed is still here; the page waits for the server.";
  document.getElementById("main").prepend(line);
  while (!(await answers())) await new Promise((done) => { setTimeout(done, 1000); });
  line.className = "notice";
  line.textContent = "The server answers again. What was not sent can be sent now.";
  isWaiting = false;
}

document.addEventListener("htmx:sendError", async (event) => {
  await waitForServer();
  event.detail.elt.dispatchEvent(new Event("fixed"));
});

// A change is sent only to a server that answers, since the browser would leave the page.
const asked = new Set();
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.method !== "post" || asked.delete(form)) return;
  event.preventDefault();
  if (form.dataset.asks) return;
  form.dataset.asks = "yes";
  const isThere = await answers();
  if (isThere) {
    asked.add(form);
    form.requestSubmit(event.submitter);
    asked.delete(form);
    // A second press before the answer comes would only wait for the answer to the first one.
    await new Promise((done) => { setTimeout(done, 20_000); });
  } else waitForServer();
  delete form.dataset.asks;
});

// A page that Back shows as it was can be sent again, as another change.
addEventListener("pageshow", (event) => {
  for (const form of document.querySelectorAll("form[data-asks]")) delete form.dataset.asks;
  if (!event.persisted) return;
  const key = `${Date.now()}-${Math.random()}`;
  for (const input of document.querySelectorAll("input[name=token]")) {
    input.value = `${input.value.split(".")[0]}.${key}`;
  }
});

// A menu that is open is closed by Escape, by a press beside it, and so by another menu.
const menus = () => document.querySelectorAll("details.ask[open], details.person[open]");
document.addEventListener("click", (event) => {
  for (const own of menus()) if (!own.contains(event.target)) own.open = false;
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  for (const own of menus()) {
    own.open = false;
    own.querySelector("summary").focus();
  }
});

// A change that cannot be taken back is asked for once.
document.addEventListener("click", (event) => {
  const opener = event.target.closest("[data-open]");
  if (opener) document.getElementById(opener.dataset.open)?.showModal();
  const copier = event.target.closest("[data-copy]");
  if (copier) {
    const text = document.getElementById(copier.dataset.copy).textContent;
    navigator.clipboard.writeText(text).then(() => { copier.textContent = "Copied"; });
  }
});

// Keys.

let waiting = "";
document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.closest("input, textarea, select, dialog[open]")) return;
  if (waiting === "g") {
    waiting = "";
    const link = document.querySelector(`#keys [data-key="${CSS.escape(event.key)}"]`);
    if (link) { event.preventDefault(); link.click(); }
    return;
  }
  if (event.key === "g") { waiting = "g"; setTimeout(() => { waiting = ""; }, 1200); }
  if (event.key === "/") { event.preventDefault(); document.getElementById("find")?.focus(); }
  if (event.key === "?") document.getElementById("keys")?.showModal();
});

drawAll(document);
reach(document);
document.addEventListener("htmx:afterSwap", () => { drawAll(document); reach(document); });

// The workbench: fixes, completion, and what was typed.

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-fix]");
  const text = document.getElementById("formula");
  if (!button || !text || !window.htmx) return;
  event.preventDefault();
  text.value = button.value;
  text.focus();
  text.dispatchEvent(new Event("fixed"));
});

function completing(text) {
  const list = document.getElementById("candidates");
  const encoder = new TextEncoder(), decoder = new TextDecoder();
  let candidates = [], chosen = 0, replaced = null, asked = 0, timer;

  const close = () => {
    list.hidden = true;
    text.removeAttribute("aria-activedescendant");
  };

  const show = () => {
    list.replaceChildren(...candidates.map((own, index) => {
      const item = document.createElement("li");
      item.id = `candidate-${index}`;
      item.setAttribute("role", "option");
      item.setAttribute("aria-selected", String(index === chosen));
      const label = document.createElement("span"), detail = document.createElement("small");
      label.textContent = own.label;
      detail.textContent = own.detail || own.kind;
      item.append(label, detail);
      item.addEventListener("mousedown", (event) => { event.preventDefault(); take(index); });
      return item;
    }));
    list.hidden = candidates.length === 0;
    if (list.hidden) return;
    text.setAttribute("aria-activedescendant", `candidate-${chosen}`);
    list.children[chosen].scrollIntoView({ block: "nearest" });
  };

  const take = (index) => {
    const bytes = encoder.encode(text.value);
    const start = decoder.decode(bytes.slice(0, replaced.start)).length;
    const end = decoder.decode(bytes.slice(0, replaced.end)).length;
    text.setRangeText(candidates[index].insert, start, end, "end");
    close();
    text.dispatchEvent(new Event("input", { bubbles: true }));
    clearTimeout(timer);
  };

  const ask = async () => {
    const before = text.value.slice(0, text.selectionStart);
    if (!/[\p{L}_.'"]$/u.test(before)) { close(); return; }
    const own = ++asked;
    const body = new URLSearchParams({
      token: text.form.elements.token.value,
      formula: text.value,
      offset: String(encoder.encode(before).length),
    });
    try {
      const response = await fetch(text.dataset.completes, { method: "POST", body });
      if (!response.ok || own !== asked) return;
      const answer = await response.json();
      if (own !== asked) return;
      ({ candidates, replaced } = answer);
      candidates = candidates.slice(0, 12);
      chosen = 0;
      show();
    } catch { close(); }
  };

  text.addEventListener("input", (event) => {
    if (!event.inputType) return;
    clearTimeout(timer);
    timer = setTimeout(ask, 90);
  });
  text.addEventListener("blur", close);
  text.addEventListener("scroll", () => { document.getElementById("marks").scrollTop = text.scrollTop; });
  text.addEventListener("keydown", (event) => {
    if (list.hidden) {
      if (event.key === " " && event.ctrlKey) { event.preventDefault(); ask(); }
      return;
    }
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step) {
      event.preventDefault();
      chosen = (chosen + step + candidates.length) % candidates.length;
      show();
    } else if (event.key === "Enter" || event.key === "Tab") {
      event.preventDefault();
      take(chosen);
    } else if (event.key === "Escape") {
      event.preventDefault();
      close();
    }
  });
}

for (const text of document.querySelectorAll("[data-completes]")) completing(text);

// What was typed outlives a session that ends. A form of a record shows it once more, and only if it was sent and not taken: it
// may change meanwhile.
const isTaken = document.querySelector(".notice") && !document.referrer.includes("/app/log-in");
// A formula that a link leads to is shown instead of one typed before.
const isGiven = new URLSearchParams(location.search).has("formula") && !document.referrer.includes("/app/log-in");
// What was refused is shown as it was sent, with the version that sending it again replaces.
const isRefused = document.querySelector(".failed[autofocus]");
const isBox = (own) => own.type === "checkbox";
const called = (own) => (isBox(own) ? `${own.name} ${own.value}` : own.name);
for (const form of document.querySelectorAll("form[data-keep], form[data-keep-sent]")) {
  const isOnce = "keepSent" in form.dataset;
  const name = `typed ${isOnce ? form.getAttribute("action") + form.dataset.keepSent : form.dataset.keep}`;
  const fields = () => [...form.elements].filter((own) => own.name && (own.type !== "hidden" || "kept" in own.dataset) && own.tagName !== "BUTTON");
  const kept = JSON.parse(sessionStorage.getItem(name) || "null");
  if (kept && !(isOnce ? isTaken : isGiven || isRefused)) {
    form.closest("details")?.setAttribute("open", "");
    for (const own of fields()) {
      if (!(called(own) in kept) || own.readOnly || (isRefused && own.type === "hidden")) continue;
      own[isBox(own) ? "checked" : "value"] = kept[called(own)];
    }
    if (isOnce) sessionStorage.removeItem(name);
    const text = form.querySelector("#formula");
    if (text && text.value) addEventListener("load", () => text.dispatchEvent(new Event("fixed")));
  }
  const keep = () => {
    const typed = Object.fromEntries(fields().map((own) => [called(own), isBox(own) ? own.checked : own.value]));
    sessionStorage.setItem(name, JSON.stringify(typed));
  };
  form.addEventListener(isOnce ? "submit" : "input", keep);
  if (!isOnce && isRefused) keep();
}
if (document.querySelector(".notice")) {
  for (const name of Object.keys(sessionStorage)) if (name.startsWith("typed ")) sessionStorage.removeItem(name);
}
