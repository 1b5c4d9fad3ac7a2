// Why, for agents that play cases: the cases behind a decision, feature by feature, and the action vector.

import { element } from "./cards.js";

const percent = (share) => `${(100 * share).toFixed(share < 0.0995 && share > 0 ? 1 : 0)}%`;

export function retrievedCases(retrieved) {
  const box = element("div", "retrieved");
  box.append(element("h4", "", "The cases it remembered"));
  for (const reading of retrieved.readings) {
    const read = element("p", "note read-as");
    read.append("Betting read as ", element("code", "", reading.betting || "(nothing yet)"));
    if (retrieved.readings.length > 1) read.append(`, weight ${percent(reading.weight)}`);
    box.append(read);
    for (const answer of reading.answers) box.append(base(answer, retrieved));
  }
  return box;
}

function base(answer, retrieved) {
  const box = element("div", "base");
  box.append(element("p", "note", answer.mapped_from === null ? answer.base : `${answer.base}, mapped from ${answer.mapped_from}`));
  if (!answer.cases.length) box.append(element("p", "note", "No case is similar enough: it checks, or calls."));
  for (const found of answer.cases) box.append(oneCase(found, answer.features, retrieved.letters));
  if (answer.count > answer.cases.length) box.append(element("p", "note", `and ${answer.count - answer.cases.length} more`));
  if (answer.cases.length) box.append(vector("All of them together", answer.action_vector, retrieved.letters), element("p", "note", decided(answer, retrieved)));
  return box;
}

function oneCase(found, wanted, letters) {
  const box = element("div", "case");
  const head = element("div", "case-head");
  head.append(element("span", "", "similarity"), element("b", "", percent(found.similarity)));
  box.append(head);
  for (const [name, value] of Object.entries(found.by_feature)) {
    const row = element("div", "feature");
    const bar = element("span", "meter");
    bar.style.setProperty("--share", `${100 * value}%`);
    const same = found.features[name] === wanted[name];
    row.append(element("span", "feature-name", name), element("code", "", found.features[name] ?? ""), bar, element("b", "", percent(value)));
    if (!same) row.title = `here: ${wanted[name]}`;
    box.append(row);
  }
  box.append(vector("What was done then", found.counts, letters));
  return box;
}

function vector(title, counts, letters) {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const box = element("div", "vector");
  box.append(element("span", "vector-name", title));
  for (const [letter, count] of Object.entries(counts)) {
    const entry = element("span", "count");
    entry.append(`${letters[letter]} `, element("b", "", String(count)), ` (${percent(count / total)})`);
    box.append(entry);
  }
  return box;
}

function decided(answer, retrieved) {
  const shares = Object.entries(answer.probabilities).map(([letter, share]) => `${retrieved.letters[letter]} ${percent(share)}`);
  return `By ${retrieved.reuse} it plays: ${shares.join(", ")}.`;
}
