import { useMemo, useState } from "react";
import { formatDay } from "./days";

const FILTERS = {
  all: () => true,
  open: (task) => !task.done,
  done: (task) => task.done,
};

export function TaskList({ tasks, onToggle, onRemove, isLoading = false }) {
  const [filter, setFilter] = useState("all");
  const [query, setQuery] = useState("");
  const shown = useMemo(
    () => tasks.filter(FILTERS[filter]).filter((task) => task.title.includes(query)),
    [tasks, filter, query],
  );

  const handleClear = () => {
    setQuery("");
    setFilter("all");
  };

  if (isLoading) {
    return <p className="hint">Loading…</p>;
  }

  return (
    <section className="tasks">
      <header>
        <h2>Tasks ({shown.length})</h2>
        <input
          type="search"
          value={query}
          placeholder="Search"
          onChange={(event) => setQuery(event.target.value)}
        />
        {Object.keys(FILTERS).map((name) => (
          <button key={name} className={name === filter ? "active" : undefined} onClick={() => setFilter(name)}>
            {name}
          </button>
        ))}
      </header>
      {shown.length === 0 ? (
        <p>
          Nothing here. <a onClick={handleClear}>Clear the search</a>
        </p>
      ) : (
        <ul>
          {shown.map((task) => (
            <li key={task.id} className={task.done ? "done" : ""}>
              <label>
                <input type="checkbox" checked={task.done} onChange={() => onToggle(task.id)} />
                {task.title}
              </label>
              {task.due && <time dateTime={task.due}>{formatDay(task.due)}</time>}
              <button type="button" onClick={() => onRemove(task.id)}>
                Remove
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
