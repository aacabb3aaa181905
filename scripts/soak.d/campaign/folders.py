"""Data folders that were damaged in one way each, and what a start over them must do."""

import hashlib
import os
import pathlib
import shutil
import sqlite3

SERVE, REFUSE = "serve", "refuse"
DATABASE = "hearth.sqlite"
ADMIN = "credentials/admin-service-account.json"
DEVICE = "credentials/GoogleService-Info.plist"
SECRET = "keys/signing-secret"


def fold_log(path):
    """Takes the log of a stopped server's database over into the file."""
    database = sqlite3.connect(path / DATABASE)
    database.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    database.close()


class Folder:
    """A copy of a whole data folder, to be damaged. `other` is the folder of another server, `killed` one of the same server
    with a log that was not taken over yet, `backup` a backup of it."""

    def __init__(self, path, other, killed, backup):
        self.path, self.other, self.killed, self.backup = path, other, killed, backup

    def at(self, name):
        return self.path / name

    def remove(self, *names):
        for name in names:
            path = self.at(name)
            shutil.rmtree(path) if path.is_dir() and not path.is_symlink() else path.unlink(missing_ok=True)

    def put(self, name, data=b""):
        self.at(name).parent.mkdir(exist_ok=True)
        self.at(name).write_bytes(data)

    def take(self, name, source):
        """A file or folder of another folder in the place of this one's."""
        self.remove(name)
        (shutil.copytree if (source / name).is_dir() else shutil.copy2)(source / name, self.at(name))

    def replace_all(self, source):
        shutil.rmtree(self.path)
        shutil.copytree(source, self.path, symlinks=True)

    def keep_only(self, *names):
        for path in list(self.path.iterdir()):
            if path.name not in names:
                self.remove(path.name)

    def cut(self, name, size):
        os.truncate(self.at(name), size)

    def sql(self, *statements):
        database = sqlite3.connect(self.at(DATABASE), isolation_level=None)
        for statement in statements:
            database.execute(statement)
        database.close()

    def forget_rows(self):
        tables = [row[0] for row in self.rows("SELECT name FROM sqlite_master WHERE type = 'table'")]
        keep = {"folder", "counter", "sqlite_sequence"}
        self.sql("PRAGMA foreign_keys = OFF", *(f"DELETE FROM {table}" for table in tables if table not in keep))

    def rows(self, query):
        database = sqlite3.connect(self.at(DATABASE))
        rows = database.execute(query).fetchall()
        database.close()
        return rows

    def make_older(self):
        """As a Hearth left it that gave folders no names."""
        later = [
            ("account_key", "has_ended"), ("api_key", "has_ended"), ("admin_token", "has_ended"), ("object", "details"),
            ("upload_session", "details"), ("upload_session", "conditions")]
        self.sql(
            *(f"ALTER TABLE {table} DROP COLUMN {column}" for table, column in later), "DROP TABLE folder",
            "PRAGMA user_version = 6")
        self.remove("blobs/folder-id")

    def models(self):
        return sorted(path for path in self.at("blobs").iterdir() if len(path.name) == 64)

    def rename_model(self, number, prefix):
        path = self.models()[number]
        path.rename(path.with_name(prefix + path.name))

    def link_model(self, number, target):
        path = self.models()[number]
        path.unlink()
        path.symlink_to(target)

    def add_orphans(self, count, prefix=""):
        for number in range(count):
            data = f"orphan {number}".encode()
            self.put(f"blobs/{prefix}{hashlib.sha256(data).hexdigest()}", data)

    def move_blobs(self, suffix):
        target = self.path.with_name(self.path.name + suffix)
        self.at("blobs").rename(target)
        self.at("blobs").symlink_to(target)
        return target


class Kind:
    """One way to damage a folder. `served` are the places of the models that must still be given to devices; of a refusal,
    each of `words` must be in the message."""

    def __init__(self, name, damage, verdict, words=(), served=(0, 1), unprivileged=False):
        self.name, self.damage, self.verdict = name, damage, verdict
        self.words, self.served, self.unprivileged = words, served, unprivileged


def refused(name, damage, *words, unprivileged=False):
    return Kind(name, damage, REFUSE, words, (), unprivileged)


def served(name, damage, *models):
    return Kind(name, damage, SERVE, (), models)


def both(*damages):
    def damage(folder):
        for each in damages:
            each(folder)
    return damage


def blank(folder):
    folder.remove(DATABASE)
    folder.sql("PRAGMA journal_mode = WAL", "CREATE TABLE t (x)", "DROP TABLE t")


def foreign(folder, version=0):
    folder.remove(DATABASE)
    folder.sql("CREATE TABLE t (x)", "INSERT INTO t VALUES (1)", f"PRAGMA user_version = {version}")


def database_kinds():
    def no_shm(folder):
        folder.replace_all(folder.killed)
        folder.remove(DATABASE + "-shm")

    def log_only(folder):
        folder.replace_all(folder.killed)
        folder.remove(DATABASE, DATABASE + "-shm")

    def empty_with_log(folder):
        folder.replace_all(folder.killed)
        folder.cut(DATABASE, 0)

    def no_log(folder):
        folder.replace_all(folder.killed)
        folder.remove(DATABASE + "-wal", DATABASE + "-shm")

    def older_of_another(folder):
        folder.take(DATABASE, folder.other)
        folder.make_older()

    def link(folder):
        folder.at(DATABASE).rename(folder.at("elsewhere.sqlite"))
        folder.at(DATABASE).symlink_to(folder.at("elsewhere.sqlite"))

    lost = ("hearth.sqlite", "Put its own hearth.sqlite back")
    return [
        refused("database missing", lambda f: f.remove(DATABASE), *lost),
        refused("database empty", lambda f: f.cut(DATABASE, 0), *lost),
        refused("database cut to 100 bytes", lambda f: f.cut(DATABASE, 100), "damaged", "Restore"),
        refused("database cut to 5000 bytes", lambda f: f.cut(DATABASE, 5000), "damaged", "Restore"),
        refused("database of another program", foreign, "another program", "Restore".lower()),
        refused("database of another program with a version", lambda f: foreign(f, 3), "another program"),
        refused("database of a newer Hearth", lambda f: f.sql("PRAGMA user_version = 99"), "newer Hearth", "Install"),
        refused("database of another folder", lambda f: f.take(DATABASE, f.other), "folder-id", "together"),
        refused("older database of another folder", older_of_another, "another data folder", "together"),
        refused("database is a folder", both(lambda f: f.remove(DATABASE), lambda f: f.at(DATABASE).mkdir()), "a folder"),
        refused("database is a link", link, "a link", "Put the file itself"),
        refused("database is a link to nothing", both(
            lambda f: f.remove(DATABASE), lambda f: f.at(DATABASE).symlink_to("nowhere")), "a link"),
        refused("database is a pipe", both(lambda f: f.remove(DATABASE), lambda f: os.mkfifo(f.at(DATABASE))), "regular"),
        refused("database is text", lambda f: f.put(DATABASE, b"no database " * 1000), "damaged", "Restore"),
        refused("database is zeros", lambda f: f.put(DATABASE, bytes(8192)), "damaged", "Restore"),
        refused("database without tables", blank, *lost),
        refused("database without rows", lambda f: f.forget_rows(), *lost),
        refused("database without rows of another folder", both(
            lambda f: f.take(DATABASE, f.other), lambda f: f.forget_rows()), "folder-id"),
        refused("log of the database only", log_only, "hearth.sqlite-wal", *lost),
        refused("index of the log only", both(
            lambda f: f.remove(DATABASE), lambda f: f.put(DATABASE + "-shm", bytes(32768))), *lost),
        refused("empty database with a full log", empty_with_log, "hearth.sqlite-wal", *lost),
        refused("database unreadable", lambda f: f.at(DATABASE).chmod(0), "cannot be read", "chown", unprivileged=True),
        refused("database read-only", lambda f: f.at(DATABASE).chmod(0o400), "cannot be written to", "chown",
                unprivileged=True),
        served("database of an older Hearth", lambda f: f.make_older(), 0, 1),
        served("killed, with its log", lambda f: f.replace_all(f.killed), 0, 1, 2),
        served("killed, its log without index", no_shm, 0, 1, 2),
        served("killed, its log lost", no_log, 0, 1),
        served("garbage for a log", lambda f: f.put(DATABASE + "-wal", b"garbage" * 1000), 0, 1),
    ]


def blob_kinds():
    def to_file(folder):
        folder.remove("blobs")
        folder.put("blobs", b"x")

    def empty_blobs(folder):
        folder.remove("blobs")
        folder.at("blobs").mkdir()

    gone = ("blobs", "Put the folder back")
    return [
        refused("model files missing", lambda f: f.remove("blobs"), *gone),
        refused("model files all removed", empty_blobs, *gone),
        refused("model files of another folder", lambda f: f.take("blobs", f.other), "folder-id", "together"),
        refused("model files of another folder without a name", both(
            lambda f: f.take("blobs", f.other), lambda f: f.remove("blobs/folder-id")), "another data folder"),
        refused("folder's name of another folder", lambda f: f.take("blobs/folder-id", f.other), "folder-id"),
        refused("folder's name empty", lambda f: f.put("blobs/folder-id"), "folder-id"),
        refused("folder's name is a folder", both(
            lambda f: f.remove("blobs/folder-id"), lambda f: f.at("blobs/folder-id").mkdir()), "folder-id"),
        refused("model files' folder is a link to nothing", lambda f: f.move_blobs("-disk").rename(
            f.path.with_name(f.path.name + "-unmounted")), "link", "Mount"),
        refused("model files' folder is a file", to_file, "blobs", "Move it away"),
        served("model files' folder is a link", lambda f: f.move_blobs("-disk"), 0, 1),
        served("folder's name missing", lambda f: f.remove("blobs/folder-id"), 0, 1),
        served("one model file missing", lambda f: f.models()[0].unlink(), 1),
        served("foreign file among model files", lambda f: f.put("blobs/notes.txt", b"mine"), 0, 1),
        served("a file that nothing names", lambda f: f.add_orphans(1), 0, 1),
        served("thirty files that nothing names", lambda f: f.add_orphans(30), 0, 1),
        served("a needed file that was set aside", lambda f: f.rename_model(0, "aside-1700000000-"), 0, 1),
        served("all needed files set aside", both(
            lambda f: f.rename_model(0, "aside-1700000000-"), lambda f: f.rename_model(0, "aside-9999999999-")), 0, 1),
        served("a young file set aside", lambda f: f.add_orphans(1, "aside-9999999999-"), 0, 1),
        served("thirty old files set aside", lambda f: f.add_orphans(30, "aside-1000000000-"), 0, 1),
        served("a link for a model file", lambda f: f.link_model(0, f.at(DATABASE)), 1),
        served("a link to the secret for a model file", lambda f: f.link_model(0, f.at(SECRET)), 1),
        served("a link that leads nowhere for a model file", lambda f: f.link_model(0, "nowhere"), 1),
        served("a folder for a model file", lambda f: (path := f.models()[0], path.unlink(), path.mkdir()), 1),
        served("a pipe for a model file", lambda f: (path := f.models()[0], path.unlink(), os.mkfifo(path)), 1),
    ]


def secret_kinds():
    def swap(folder):
        folder.take(SECRET, folder.other)
        folder.take(ADMIN, folder.other)
        folder.take(DEVICE, folder.other)

    return [
        served("keys missing", lambda f: f.remove("keys"), 0, 1),
        served("secret missing", lambda f: f.remove(SECRET), 0, 1),
        served("secret open to others", lambda f: f.at(SECRET).chmod(0o644), 0, 1),
        served("keys and credentials of another folder", swap, 0, 1),
        refused("secret empty", lambda f: f.put(SECRET), "signing-secret", "damaged"),
        refused("secret short", lambda f: f.put(SECRET, b"short"), "signing-secret", "damaged"),
        refused("secret is a folder", both(lambda f: f.remove(SECRET), lambda f: f.at(SECRET).mkdir()), "signing-secret"),
        refused("keys are a file", both(lambda f: f.remove("keys"), lambda f: f.put("keys", b"x")), "keys"),
        served("credentials missing", lambda f: f.remove("credentials"), 0, 1),
        served("one credentials file missing", lambda f: f.remove(ADMIN), 0, 1),
        served("credentials open to others", lambda f: f.at(ADMIN).chmod(0o644), 0, 1),
        served("other files among credentials", both(
            lambda f: f.put("credentials/cert.new-key", b"k"), lambda f: f.put(ADMIN + ".pending-x", b"p")), 0, 1),
        refused("credentials file empty", lambda f: f.put(ADMIN), "admin-service-account.json", "damaged"),
        refused("credentials file damaged", lambda f: f.put(DEVICE, b"<plist>"), "GoogleService-Info.plist", "damaged"),
    ]


def mixed_kinds():
    def only(*names):
        return lambda f: f.keep_only(*names)

    def backup_as_folder(folder):
        folder.replace_all(folder.backup)

    def blobs_of_backup(folder):
        folder.take("blobs", folder.backup)

    def all_read_only(folder):
        for path in [folder.path, *folder.path.rglob("*")]:
            path.chmod(0o500 if path.is_dir() else 0o400)

    anew = "move them away"
    return [
        refused("model files only", only("blobs"), anew),
        refused("keys only", only("keys"), anew),
        refused("credentials only", only("credentials"), anew),
        refused("everything but the database, blobs behind a link", both(
            lambda f: f.remove(DATABASE), lambda f: f.move_blobs("-disk")), anew),
        refused("no database, and credentials of another folder", both(
            lambda f: f.remove(DATABASE), lambda f: f.take(ADMIN, f.other)), anew),
        refused("empty database beside model files only", both(
            lambda f: f.cut(DATABASE, 0), only(DATABASE, "blobs")), anew),
        refused("newer database, no model files", both(
            lambda f: f.sql("PRAGMA user_version = 99"), lambda f: f.remove("blobs")), "newer Hearth"),
        refused("another folder's database and blobs without a name", both(
            lambda f: f.take(DATABASE, f.other), lambda f: f.remove("blobs/folder-id")), "another data folder"),
        refused("foreign files only", both(only(), lambda f: f.put("thesis.txt", b"mine")), "thesis.txt", "empty folder"),
        refused("read-only folder", all_read_only, "data", unprivileged=True),
        served("a backup, started over", backup_as_folder, 0, 1),
        served("model files of a backup", blobs_of_backup, 0, 1),
        served("database of a backup", lambda f: f.take(DATABASE, f.backup), 0, 1),
        served("older database, one model file missing, thirty that nothing names", both(
            lambda f: f.make_older(), lambda f: f.models()[0].unlink(), lambda f: f.add_orphans(30)), 1),
    ]


def all_kinds():
    return database_kinds() + blob_kinds() + secret_kinds() + mixed_kinds()


# Of each group those that once lost something, or nearly did.
SHORT = [
    "database missing", "database empty", "database of another folder", "killed, its log without index",
    "model files all removed", "thirty files that nothing names", "a link to the secret for a model file",
    "credentials only",
]


def listing(path):
    """Of everything in a folder, links followed at `blobs` only: kind, mode and hash."""
    found = {}
    for folder in (path, path / "blobs"):
        for entry in sorted(folder.rglob("*") if folder == path else folder.iterdir() if folder.is_dir() else []):
            info = entry.lstat()
            data = hashlib.sha256(entry.read_bytes()).hexdigest() if entry.is_file() and not entry.is_symlink() else (
                os.readlink(entry) if entry.is_symlink() else "")
            found[str(entry.relative_to(path))] = (oct(info.st_mode), data)
    return found


def precious(found):
    """The model files, keys and credentials of a listing, by name."""
    return {
        name: data for name, (mode, data) in found.items()
        if name.split("/")[0] in ("blobs", "keys", "credentials") and "/" in name and mode.startswith("0o100")}


def lost(before, after):
    """What was deleted or overwritten between two listings. A model file may be set aside or put back."""
    problems = []
    kept = {data for name, data in precious(after).items() if name.startswith("blobs/")}
    for name, data in precious(before).items():
        if precious(after).get(name) == data or (name.startswith("blobs/") and data in kept):
            continue
        problems.append(f"{name} is {'another' if name in after else 'gone'}")
    return problems
