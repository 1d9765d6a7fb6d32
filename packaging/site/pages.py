"""Adds to the site what is not in docs/, and lets links to other files lead to the repository."""

import os
import re
from glob import glob

from mkdocs.structure.files import File

ROOT_PAGES = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"]
GENERATED = ["commands", "clients"]  # folders in build/packaging


def on_config(config):
    """Replaces each folder in the navigation by its pages."""
    folders = {"decisions/": "docs/decisions"} | {name + "/": "build/packaging/" + name for name in GENERATED}
    for section in config.nav:
        for title, pages in section.items():
            if isinstance(pages, list):
                section[title] = [expanded(page, folders) for page in pages]


def expanded(page, folders):
    if isinstance(page, dict):
        for title, folder in page.items():
            if folder in folders:
                return {title: [folder + os.path.basename(path) for path in sorted(glob(folders[folder] + "/*.md"))]}
    return page


def on_files(files, config):
    added = [(".", name) for name in ROOT_PAGES] + [("packaging/site", "http-api.md")]
    for folder in GENERATED:
        added += [("build/packaging", os.path.relpath(path, "build/packaging")) for path in glob("build/packaging/" + folder + "/*.md")]
    for folder, name in added:
        files.append(File(name, os.path.abspath(folder), config.site_dir, config.use_directory_urls))
    return files


def on_page_markdown(markdown, page, config, files):
    """Links between pages of the repository become links between pages of the site."""
    uri = page.file.src_uri
    source = os.path.relpath(page.file.abs_src_path)

    def link(match):
        path, anchor = match[1], match[2] or ""
        target = os.path.normpath(os.path.join(os.path.dirname(source), path))
        inside = target.removeprefix("docs/")
        if re.match(r"\w+:", path) or os.path.dirname(uri) in GENERATED:
            return match[0]
        if files.get_file_from_path(inside):
            return "](" + os.path.relpath(inside, os.path.dirname(uri) or ".") + anchor + ")"
        return "](" + config.extra["repository"] + "/blob/main/" + target + anchor + ")"

    return re.sub(r"\]\(([^)#\s]+)(#[^)\s]*)?\)", link, markdown)
