"""The table of formats: which file is read by which grammar, and who gets what it sets.

A new format is one row. Rows are tried in order; the first pattern that fits decides. What no
row knows is decided by `names`: extension, `#!` line, tags of `identify`. Pure: no IO.
"""

from __future__ import annotations

import enum
from typing import NamedTuple

from unhaunt.envfiles.assignment import PLAIN, Dialect


class Base(enum.Enum):
    """What a relative element is relative to, by the tool's own documentation."""

    ROOT = "root"  # of the repository: the current directory of CI jobs, editors, dotenv readers
    FOLDER = "folder"  # of the file


class Format(NamedTuple):
    """One row."""

    patterns: str  # globs, separated by blanks; with a slash they are of the path's end
    grammar: str  # a module of `grammars`
    scope: str  # who gets the variable, read after "for"
    container: bool = False  # absolute paths are an image's own
    separator: str = ":"  # "": the file says, by using `;` or not
    base: Base = Base.ROOT
    dialect: Dialect = PLAIN
    guessed: bool = False  # nothing but the lack of an extension says so


_CI = Dialect(scripts=True)
_TRAVIS = Dialect(scripts=True, words=True)
_WALLED = Dialect(walled=True)
_UNKNOWN = Dialect(known=False)
_FOLDER = Base.FOLDER

_PROCESSES = "every process that reads this file"
_SHELL = "what this script starts, or the shell that sources it"
_JOBS = "the jobs of this pipeline"
_IMAGE = "every process of the container"
_SERVICE = "one service"
_EDITOR = "the editor and what it starts"
_AGENT = "the agent's sessions only"
_TOX = "the tox environment"

FORMATS = (
    # agents and their sandboxes
    Format(
        "*.claude/hooks/* .claude/*.sh *.codex/*.sh *.cursor/*.sh *.gemini/*.sh", "shell", _AGENT
    ),
    Format("*.claude/*.json .mcp.json mcp.json .gemini/*.json .cursor/*.json", "jsonc", _AGENT),
    Format(
        "claude_desktop_config.json .codex/*.json .amp/*.json .kilocode/*.json", "jsonc", _AGENT
    ),
    Format("*.codex/*.toml *.codex/*/*.toml", "toml_text", _AGENT),
    Format("e2b.toml modal.toml", "toml_text", "the sandbox", True),
    # editors
    Format(".vscode/*.json *.code-workspace *.sublime-project", "jsonc", _EDITOR, separator=""),
    Format(
        ".idea/*.xml .idea/*/*.xml *.run.xml", "xml_tags", "the run configuration", separator=""
    ),
    Format(".zed/*.json", "jsonc", _EDITOR),
    # dev containers and containers
    Format(
        ".devcontainer.json .devcontainer/*.json .devcontainer/*/*.json",
        "jsonc",
        _IMAGE,
        True,
        dialect=_WALLED,
    ),
    Format(
        "dockerfile dockerfile.* *.dockerfile containerfile containerfile.* *.containerfile"
        " *.dockerfile.*",
        "dockerfile",
        _IMAGE,
        True,
    ),
    Format("earthfile", "dockerfile", "the steps of this target", True),
    Format(
        "docker-compose*.yml docker-compose*.yaml compose*.yml compose*.yaml"
        " *.compose.yml *.compose.yaml docker-stack*.yml container-compose*.yml",
        "yaml_text",
        _SERVICE,
        True,
        base=_FOLDER,
        dialect=_WALLED,
    ),
    Format("*.def singularity singularity.*", "shell_sections", _IMAGE, True),
    # direnv, dotenv
    Format(".envrc .envrc.* *.envrc", "shell", "every command in this folder", base=_FOLDER),
    Format(
        ".env .env.* *.env .env-* .env_* .flaskenv dotenv env.list *.env.*",
        "dotenv",
        _PROCESSES,
        separator="",
    ),
    # CI
    Format(
        ".github/*.yml .github/*.yaml .github/*/*.yml .github/*/*.yaml action.yml action.yaml"
        " .gitea/*/*.yml .gitea/*/*.yaml .forgejo/*/*.yml .gitlab-ci.yml .gitlab-ci*.yml"
        " *.gitlab-ci.yml .gitlab/*.yml .gitlab/*/*.yml .gitlab/*/*/*.yml gitlab-ci/*.yml"
        " .circleci/*.yml azure-pipelines*.yml azure-pipelines*.yaml .azure/*.yml"
        " .azure-pipelines/*.yml .azure-pipelines/*/*.yml bitbucket-pipelines.yml .drone.yml"
        " .drone.yaml .woodpecker.yml .woodpecker/*.yml .woodpecker.yaml .buildkite/*.yml"
        " .buildkite/*.yaml buildspec*.yml cloudbuild*.yaml cloudbuild*.yml .cirrus.yml"
        " appveyor.yml .appveyor.yml .semaphore/*.yml codeship-steps.yml screwdriver.yaml"
        " .builds/*.yml .build.yml wercker.yml shippable.yml .readthedocs.yml .readthedocs.yaml"
        " .zuul.yaml .zuul.d/*.yaml zuul.d/*.yaml taskcluster/*.yml .taskcluster.yml"
        " .pre-commit-config.yaml .pre-commit-hooks.yaml .gitpod.yml",
        "yaml_text",
        _JOBS,
        separator="",
        dialect=_CI,
    ),
    Format(".travis.yml .travis.yaml", "yaml_text", _JOBS, dialect=_TRAVIS),
    Format("jenkinsfile jenkinsfile.* *.jenkinsfile *.groovy *.gradle", "code_blocks", _JOBS),
    # Python's own tools
    Format("tox.ini", "ini", _TOX, base=_FOLDER, dialect=_WALLED),
    Format("tox.toml", "toml_text", _TOX, base=_FOLDER, dialect=_WALLED),
    Format("setup.cfg pytest.ini .pytest.ini pytest.toml", "ini", "the tool", base=_FOLDER),
    Format(
        "pyproject.toml hatch.toml pdm.toml poe_tasks.toml pipfile",
        "toml_text",
        "the tool's environment",
        base=_FOLDER,
    ),
    Format(
        "environment*.yml environment*.yaml conda-env*.yml",
        "yaml_text",
        "every activation of the conda environment",
    ),
    Format(
        "meta.yaml meta.yml recipe.yaml conda_build_config.yaml",
        "yaml_text",
        "the build and the tests of the package",
        dialect=_CI,
    ),
    Format(
        "pixi.toml mise.toml .mise.toml mise.*.toml .mise/*.toml mise/*.toml .rtx.toml",
        "toml_text",
        "the tasks and shells of this project",
        base=_FOLDER,
    ),
    Format("*.cwl", "yaml_text", "the tool of this workflow"),
    Format("snakefile snakefile.* *.smk", "code_blocks", "the jobs of this workflow"),
    Format("noxfile.py", "nox_sessions", "the nox session"),
    # platforms and services
    Format(
        "nixpacks.toml railway.toml fly.toml fly.*.toml netlify.toml wrangler.toml project.toml"
        " render.toml",
        "toml_text",
        "every process of the app",
        True,
    ),
    Format("*.replit .replit replit.toml", "toml_text", "everything that runs in the workspace"),
    Format(".flox/env/manifest.toml manifest.toml", "toml_text", "the flox environment"),
    Format("app.json vercel.json now.json", "jsonc", "every process of the app", True),
    Format(
        "app.yaml app.yml serverless.yml serverless.yaml template.yaml template.yml"
        " render.yaml render.yml heroku.yml",
        "yaml_text",
        "every process of the app",
        True,
    ),
    Format("devbox.json", "jsonc", "the devbox shell and its scripts", base=_FOLDER),
    Format("snapcraft.yaml", "yaml_text", "every app of the snap", True, dialect=_CI),
    Format(
        "taskfile.yml taskfile.yaml taskfile.*.yml tasks.yml",
        "yaml_text",
        "the tasks",
        base=_FOLDER,
        dialect=_CI,
    ),
    Format("*.service *.socket *.timer *.service.* override.conf", "systemd", "the unit"),
    Format(
        "supervisor*.conf supervisord*.ini supervisor*.ini *supervisor*.conf", "ini", "the program"
    ),
    Format("*.desktop", "ini", "the program of this desktop entry"),
    Format(".testr.conf .stestr.conf", "ini", "the test run", base=_FOLDER),
    Format("spark-defaults.conf", "lines", "the executors of Spark"),
    Format("procfile procfile.*", "procfile", "one process type"),
    Format("crontab crontab.* *.cron cron.d/* *.crontab", "crontab", "the jobs of this table"),
    Format("*.plist", "xml_tags", "the launchd job"),
    Format("*.launch *.launch.xml", "xml_tags", "one node, or every node of the launch file"),
    # scripts and build tools
    Format(
        "makefile gnumakefile bsdmakefile makefile.* *.mk *.mak *.make makefile.am",
        "makefile",
        "the recipes of this makefile",
        base=_FOLDER,
    ),
    Format(
        "justfile .justfile *.just *.justfile",
        "justfile",
        "the recipes of this justfile",
        base=_FOLDER,
    ),
    Format("*.fish", "fish", _SHELL),
    Format("*.csh *.tcsh .cshrc .tcshrc .login *.csh.*", "csh", _SHELL),
    Format("*.ps1 *.psm1 *.psd1", "powershell", _SHELL, separator=""),
    Format("*.bat *.cmd", "batch", _SHELL, separator=";"),
    Format(
        "*.sh *.bash *.zsh *.ksh *.dash *.profile .bashrc .bash_profile .bash_login .bash_aliases"
        " .profile .zshrc .zshenv .zprofile .zlogin bashrc zshrc zshenv profile *.bashrc *.sbatch"
        " *.slurm *.pbs *.qsub *.bats *.ebuild *.eclass pkgbuild apkbuild *.install *.command"
        " *.inc.sh activate apprun",
        "shell",
        _SHELL,
    ),
    Format("*.m4 configure.ac configure.in", "lines", "the configure script"),
    Format("*.t", "cram", "the commands of one test"),
    Format(".bazelrc *.bazelrc bazelrc .bazelrc.*", "bazelrc", "actions and tests of Bazel"),
    Format("vagrantfile *.rb.erb", "code_blocks", "the machine", True),
    Format("*.tf *.tfvars *.hcl *.nomad *.pkr.hcl", "code_blocks", "the resource", True),
    Format("*.nix", "code_blocks", "the development shell, or the build"),
    Format("*.nu", "code_blocks", _SHELL),
    Format("*.config", "xml_tags", "the application", separator=";"),
    Format(".renviron *.renviron renviron.site", "dotenv", "every R session of this folder"),
    Format("*.lua", "code_blocks", "what loads the module"),
    Format(
        "cmakelists.txt *.cmake *.cmake.in", "code_blocks", "the tests or commands of the build"
    ),
    Format("meson.build", "code_blocks", "the tests or commands of the build"),
    Format("*.spec *.spec.in", "shell_sections", "the build of the package"),
    Format("*.ipynb", "notebook", "the notebook's kernel"),
)

#: what a tag of identify stands for; these know nothing of the program that reads the file
BY_TAG = {
    "dockerfile": Format("", "dockerfile", _IMAGE, True),
    "makefile": Format("", "makefile", "the recipes of this makefile", base=_FOLDER),
    "bash": Format("", "shell", _SHELL),
    "zsh": Format("", "shell", _SHELL),
    "sh": Format("", "shell", _SHELL),
    "ksh": Format("", "shell", _SHELL),
    "dash": Format("", "shell", _SHELL),
    "fish": Format("", "fish", _SHELL),
    "csh": Format("", "csh", _SHELL),
    "shell": Format("", "shell", _SHELL),
    "powershell": Format("", "powershell", _SHELL, separator=""),
    "batch": Format("", "batch", _SHELL, separator=";"),
    "yaml": Format("", "yaml_text", _PROCESSES, separator="", dialect=_UNKNOWN),
    "json": Format("", "jsonc", _PROCESSES, separator="", dialect=_UNKNOWN),
    "toml": Format("", "toml_text", _PROCESSES, separator="", dialect=_UNKNOWN),
    "ini": Format("", "ini", _PROCESSES, separator="", dialect=_UNKNOWN),
    "xml": Format("", "xml_tags", _PROCESSES, separator="", dialect=_UNKNOWN),
}
#: what a file is that another one names as env file
DOTENV = next(row for row in FORMATS if row.grammar == "dotenv")
