import { useState, type FormEvent } from "react";
import { Avatar, Field, Tabs } from "../ui";
import type { User } from "../model";

interface ProfileProps {
  user: User;
  canEdit?: boolean;
  onSave: (user: User) => Promise<boolean>;
}

const tabs = ["about", "posts", "settings"] as const;
type Tab = (typeof tabs)[number];

export default function Profile({ user, canEdit = false, onSave }: ProfileProps) {
  const [tab, setTab] = useState<Tab>("about");
  const [draft, setDraft] = useState<User>({ ...user });
  const [message, setMessage] = useState<string | null>(null);

  async function save(event: FormEvent<HTMLFormElement>): Promise<void> {
    event.preventDefault();
    const saved = await onSave({ ...draft, changed: Date.now() });
    setMessage(saved ? "Saved." : "This could not be saved.");
  }

  return (
    <main>
      <Avatar src={user.picture} alt={`Picture of ${user.name}`} size={96} />
      <h1>{user.name}</h1>
      <Tabs names={tabs} current={tab} onSelect={(name: Tab) => setTab(name)} />
      {tab === "about" && <p>{user.about ?? "Nothing is known."}</p>}
      {tab === "posts" && (
        <ul>
          {user.posts.map(({ id, title }) => (
            <li key={id}>
              <a href={`/posts/${id}`}>{title}</a>
            </li>
          ))}
        </ul>
      )}
      {tab === "settings" && canEdit ? (
        <form onSubmit={save}>
          <Field label="Name" value={draft.name} onChange={(name: string) => setDraft({ ...draft, name })} />
          <Field
            label="About"
            value={draft.about}
            onChange={(about: string) => setDraft({ ...draft, about })}
          />
          <button type="submit">Save</button>
        </form>
      ) : null}
      {message && <output>{message}</output>}
    </main>
  );
}
