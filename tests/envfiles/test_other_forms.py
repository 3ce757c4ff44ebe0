"""Forms that are easily missed, or taken for more than they are: one row each."""
# ruff: noqa: ISC004 (a row is a line)

from __future__ import annotations

import pytest

from tests.envfiles.test_formats import Found, found
from unhaunt.envfiles import judge, scan

WORKFLOW = ".github/workflows/a.yml"
AZURE = "azure-pipelines.yml"

FOUND: list[Found] = [
    # CI
    ("Render", "render.yaml", "services:\n- envVars:\n  - key: PYTHONPATH\n    value: src\n",
     "3 UH301", "the app"),
    ("Bitbucket", "bitbucket-pipelines.yml",
     "pipelines:\n  default:\n  - step:\n      script:\n      - export PYTHONPATH=src\n",
     "5 UH301", "pipeline"),
    ("Bitbucket, a definition", "bitbucket-pipelines.yml",
     "definitions:\n  steps:\n  - step: &a\n      script:\n      - export PYTHONPATH=src\n"
     "pipelines:\n  default:\n  - step: *a\n", "5 UH301", "pipeline"),
    ("a step in PowerShell", WORKFLOW,
     'steps:\n- run: |\n    x\n    $env:PYTHONPATH = "src"\n  shell: pwsh\n', "4 UH301", '"src"'),
    ("a step on Windows", WORKFLOW,
     'runs-on: windows-latest\nsteps:\n- run: |\n    $Env:PYTHONPATH = "src;lib"\n',
     "4 UH301", '"src;lib"'),
    ("PowerShell appends to GITHUB_ENV", WORKFLOW,
     'steps:\n- run: |\n    "PYTHONPATH=src" >> $env:GITHUB_ENV\n', "3 UH301", "later CI step"),
    ("Out-File with a path first", WORKFLOW,
     'steps:\n- run: |\n    echo "PYTHONPATH=src" | Out-File -FilePath $env:GITHUB_ENV -Append\n',
     "3 UH301", "later CI step"),
    ("Out-File with its encoding first", WORKFLOW,
     'steps:\n- run: |\n    "PYTHONPATH=src" | Out-File -Encoding utf8 -Append -FilePath'
     " $env:GITHUB_ENV\n", "3 UH301", "later CI step"),
    ("a step in cmd", WORKFLOW, "steps:\n- shell: cmd\n  run: set PYTHONPATH=src\n", "3 UH301", ""),
    ("cmd, Set in any case", "appveyor.yml", "test_script:\n- Set PYTHONPATH=src\n", "2 UH301", ""),
    ("cmd, behind another command", "appveyor.yml",
     "test_script:\n- cmd: cd x && set PYTHONPATH=src;lib && pytest\n", "2 UH301", '"src;lib"'),
    ("AppVeyor, PowerShell", "appveyor.yml", 'a:\n- ps: $env:PYTHONPATH = "src"\n', "2 UH301", ""),
    ("GitLab, PowerShell", ".gitlab-ci.yml", 't:\n  script:\n  - $env:PYTHONPATH = "src"\n',
     "3 UH301", ""),
    ("Azure, a logging command", AZURE,
     'steps:\n- script: echo "##vso[task.setvariable variable=PYTHONPATH]src"\n', "2 UH301",
     'to "src" for every later CI step'),
    ("Azure, PowerShell", AZURE, 'steps:\n- powershell: |\n    $env:PYTHONPATH = "src"\n',
     "3 UH301", ""),
    # Kubernetes, platforms, agents, Python tools
    ("Kustomize, a literal", "kustomization.yaml",
     "configMapGenerator:\n- literals: [PYTHONPATH=/app]\n", "2 UH301", ""),
    ("a ConfigMap", "k8s/a.yaml", "kind: ConfigMap\ndata:\n  PYTHONPATH: /app\n", "3 UH301", ""),
    ("a script of Hatch", "pyproject.toml",
     '[tool.hatch.envs.X.scripts]\nt = "PYTHONPATH=src pytest"\n', "2 UH301", "one command"),
    ("scripts of Hatch", "hatch.toml", '[envs.X.scripts]\nt = ["PYTHONPATH=src pytest"]\n',
     "2 UH301", "one command"),
    ("a process of Fly", "fly.toml", '[processes]\nweb = "env PYTHONPATH=src x"\n', "2 UH301", ""),
    ("a release of Fly", "fly.toml", '[deploy]\nrelease_command = "env PYTHONPATH=src x"\n',
     "2 UH301", "one command"),
    ("an MCP server behind env", ".mcp.json",
     '{"mcpServers": {"a": {"command": "env", "args": ["PYTHONPATH=src", "python"]}}}\n',
     "1 UH301", "agent"),
    ("a Pipfile's script", "Pipfile", '[scripts]\nt = "env PYTHONPATH=src pytest"\n', "2 UH301",
     'to "src" for one command'),
    ("a replacement of tox, once", "tox.toml",
     '[env_run_base]\nset_env.PYTHONPATH = { replace = "env", name = "PYTHONPATH",'
     ' default = "src" }\n', "2 UH301", "host's value wins"),
    # values
    ("a folded block", "compose.yml",
     "services:\n  a:\n    environment:\n      PYTHONPATH: >-\n        src:lib\n", "4 UH301",
     '"src:lib"'),
    ("cibuildwheel, one of several", "pyproject.toml",
     '[tool.cibuildwheel]\nenvironment = "A=1 PYTHONPATH=src FOO=1"\n', "2 UH301", 'to "src" for'),
    ("cibuildwheel in a workflow", WORKFLOW, "env:\n  CIBW_ENVIRONMENT: PYTHONPATH=src FOO=1\n",
     "2 UH301", 'to "src" for'),
    # what a script writes into env files
    ("a group that is written", "a.sh", '{ echo A=1; echo PYTHONPATH=src; } >> "$GITHUB_ENV"\n',
     "1 UH301", "later CI step"),
    ("a subshell that is written", "a.sh", "(\necho A=1\necho PYTHONPATH=src\n) > .env\n", "3 UH301",
     "into .env"),
    ("a subshell that is piped", "a.sh", "( echo PYTHONPATH=src ) | tee -a .env\n", "1 UH301",
     "into .env"),
    ("a condition that is written", "a.sh", "if x; then\n  echo PYTHONPATH=src\nfi >> .env\n",
     "2 UH301", "into .env"),
    ("a loop that is written", "a.sh", "for x in y; do\n  echo PYTHONPATH=$x\ndone >> .env\n",
     "2 UH301", "into .env"),
    ("a case that is written", "a.sh", "case x in y) echo PYTHONPATH=src;; esac >> .env\n",
     "1 UH301", "into .env"),
    ("the inner of two groups", "a.sh", "{ { echo PYTHONPATH=src; } > a.env; } > b.env\n",
     "1 UH301", "into a.env"),
    ("printf, two lines", "a.sh", 'printf "A=1\\nPYTHONPATH=src\\n" >> .env\n', "1 UH301",
     "into .env"),
    ("echo -e, two lines", "a.sh", 'echo -e "A=1\\nPYTHONPATH=src" >> .env\n', "1 UH301", ""),
    ("GITHUB_ENV, in three lines", "a.sh",
     'echo "PYTHONPATH<<EOF" >> $GITHUB_ENV\necho src >> $GITHUB_ENV\necho EOF >> $GITHUB_ENV\n',
     "1 UH301", "later CI step"),
    ("COPY with a here-document", "Dockerfile", "COPY <<E /app/.env\nA=1\nPYTHONPATH=/x\nE\n",
     "3 UH301", "into /app/.env"),
    ("ssh, one string", "a.sh", 'ssh host "PYTHONPATH=src pytest"\n', "1 UH301",
     'to "src" for one command'),
    ("a directive of Slurm", "a.sbatch", "#!/bin/bash\n#SBATCH --export=ALL,PYTHONPATH=src\n",
     "2 UH301", "batch job"),
    # languages with blocks, build tools
    ("Jenkins, an assignment", "Jenkinsfile", "script {\n  env.PYTHONPATH = 'src'\n}\n", "2 UH301", ""),
    ("Jenkins, cmd", "Jenkinsfile", "bat 'set PYTHONPATH=src && pytest'\n", "1 UH301", '"src"'),
    ("Jenkins, PowerShell", "Jenkinsfile", "powershell '$env:PYTHONPATH = \"src\"; x'\n", "1 UH301",
     '"src"'),
    ("devenv", "devenv.nix", '{ env.PYTHONPATH = "src"; }\n', "1 UH301", ""),
    ("a make program", "debian/rules", "#!/usr/bin/make -f\nt:\n\tPYTHONPATH=src x\n", "3 UH301",
     "one command"),
    ("make, an export in a recipe", "Makefile", "t:\n\texport PYTHONPATH=src; x\n", "2 UH301",
     "one command"),
    ("make, a canned recipe", "Makefile", "define X\nPYTHONPATH=src pytest\nendef\n", "2 UH301",
     'to "src" for one command'),
    ("just, all exported", "justfile", "set export\nPYTHONPATH := 'x'\n", "2 UH301", ""),
    ("just, all exported, in full", "justfile", "set export := true\nPYTHONPATH := 'x'\n", "2 UH301", ""),
    ("nox, a dict", "noxfile.py", 'session.run("x", env=dict(PYTHONPATH="src"))\n', "1 UH301", "nox"),
    ("nox, env", "noxfile.py", 'session.run("env", "PYTHONPATH=src", "x")\n', "1 UH301",
     "one command"),
    ("RUN in exec form", "Dockerfile", 'RUN ["env", "PYTHONPATH=/x", "y"]\n', "1 UH301",
     "one build step"),
    ("tox, a continued value", "tox.ini", "[testenv]\nsetenv = PYTHONPATH=src:\\\n  lib\n", "2 UH301",
     '"src:lib"'),
    ("tox, continued lines", "tox.ini",
     "[testenv]\nsetenv =\n  A=1\n  PYTHONPATH=src:\\\n  lib\n  B=2\n", "4 UH301", '"src:lib"'),
    ("setx and its options", "a.bat", "setx PYTHONPATH src /M\n", "1 UH301", 'to "src" for'),
    ("setx in PowerShell", "a.ps1", "setx PYTHONPATH src /M\n", "1 UH301", 'to "src" for'),
    ("a rule of Snakemake", "Snakefile", 'rule a:\n    shell:\n        "PYTHONPATH=src python x"\n',
     "3 UH301", 'to "src" for one command'),
    ("VS Code, above its folder", ".vscode/settings.json",
     '{"a.env": {"PYTHONPATH": "${workspaceFolder}/.."}}\n', "1 UH303", "leaves the repository"),
    ("VS Code, beside its folder", ".vscode/settings.json",
     '{"a.env": {"PYTHONPATH": "${workspaceFolder}/../lib"}}\n', "1 UH303", "leaves"),
    ("VS Code, still inside", "p/.vscode/settings.json",
     '{"a.env": {"PYTHONPATH": "${workspaceFolder}/../lib"}}\n', "1 UH301", ""),
    ("GITHUB_ENV, in a here-document", "a.sh",
     'cat >> "$GITHUB_ENV" <<E\nPYTHONPATH<<EOF\nsrc\nEOF\nE\n', "2 UH301", "later CI step"),
    ("GITHUB_ENV, in a group", WORKFLOW,
     'a:\n- run: |\n    {\n      echo "PYTHONPATH<<EOF"\n      echo src:\n      echo EOF\n'
     '    } >> "$GITHUB_ENV"\n', "4 UH302", "later CI step"),
    ("batch, behind the last quote", "a.bat", 'set "PYTHONPATH=src" x\n', "1 UH301", 'to "src" for'),
    ("batch, quotes behind it", "a.bat", 'set "PYTHONPATH=src" & echo "x"\n', "1 UH301", 'to "src" for'),
    ("batch, when it is defined", "a.bat",
     'if defined PYTHONPATH set "PYTHONPATH=src;%PYTHONPATH%"\n', "1 UH301", "extends"),
    ("a case in a loop that is written", "a.sh",
     "while x; do case $x in a) echo PYTHONPATH=src;; esac; done > .env\n", "1 UH301", "into .env"),
    ("a directive, one of several", "a.sbatch",
     "#!/bin/bash\n#SBATCH --export=PYTHONPATH=src,A=1\n", "2 UH301", 'to "src" for'),
    ("a command in capitals", WORKFLOW, "a:\n- run: Rscript x && PYTHONPATH=src y\n", "2 UH301", ""),
    ("Jenkins, the old value", "Jenkinsfile",
     'environment { PYTHONPATH = "src:${env.PYTHONPATH}" }\n', "1 UH302", ""),
    ("nox, an update", "noxfile.py", 'session.env.update(PYTHONPATH="src")\n', "1 UH301", "nox"),
    ("CMake, from its own variable", "CMakeLists.txt",
     'set(PYTHONPATH "x")\nset(ENV{PYTHONPATH} "${PYTHONPATH}")\n', "2 UH301", ""),
    ("CMake, with the old value", "CMakeLists.txt", 'set(ENV{PYTHONPATH} "x:$ENV{PYTHONPATH}")\n',
     "1 UH302", ""),
    ("make, a recipe that writes", "Makefile", "t:\n\techo PYTHONPATH=src >> .env\n", "2 UH301",
     "into .env"),
    ("make, a recipe of cmd", "Makefile", "t:\n\tset PYTHONPATH=src && x\n", "2 UH301", ""),
    # written in several lines
    ('GITHUB_ENV of several lines, PowerShell', 'a.ps1',
     '"PYTHONPATH<<EOF" >> $env:GITHUB_ENV\n"src" >> $env:GITHUB_ENV\n"EOF" >> $env:GITHUB_ENV\n',
     '1 UH301', ""),
    ('GITHUB_ENV of a here-string', 'b.ps1',
     '$x = 1\n@"\nPYTHONPATH<<EOF\nC:\\x\nEOF\n"@ | Out-File -FilePath $env:GITHUB_ENV -Append\n',
     '3 UH303', ""),
    ('Add-Content', 'c.ps1',
     'Add-Content -Path $env:GITHUB_ENV -Value "PYTHONPATH=src;."\n',
     '1 UH302', ""),
    ('several settings in a here-string', 'd.ps1',
     '@"\nA=b\nPYTHONPATH=src\n"@ >> $env:GITHUB_ENV\n',
     '3 UH301', ""),
    ('a written line break', 'e.ps1',
     '"A=1`nPYTHONPATH=src`nB=2" >> $env:GITHUB_ENV\n',
     '1 UH301', ""),
    ('out to a file, and to a log', 'f.ps1',
     '"PYTHONPATH=src" | Out-File -FilePath $env:GITHUB_ENV -Append\n"PYTHONPATH=x" >> a.log\n',
     '1 UH301', ""),
    ("a function's output is redirected", 'a.sh',
     'f() {\n  echo "PYTHONPATH=src"\n}\nf >> $GITHUB_ENV\n',
     '2 UH301', ""),
    ('a function with a keyword, through tee', 'b.sh',
     'function f {\n  if x; then\n    echo "PYTHONPATH=src"\n  fi\n}\ng() { echo PYTHONPATH=x; }\nf | tee -a "$GITHUB_ENV"\ng\n',
     '3 UH301', ""),
    ('a function writes elsewhere itself', 'c.sh',
     'f() {\n  echo "PYTHONPATH=src" >&2\n  echo PYTHONPATH=a >> x.log\n}\nf >> $GITHUB_ENV\nf2 () { { echo PYTHONPATH=b; } ; echo c; }\nf2 > .env\n',
     '6 UH301', ""),
    ('GITHUB_ENV of several lines in a group', 'd.sh',
     '{\n  echo "PYTHONPATH<<EOF"\n  echo "$PWD/src"\n  echo EOF\n} >> "$GITHUB_ENV"\n',
     '2 UH301', ""),
    ('GITHUB_ENV of several lines in a here-document', 'e.sh',
     'cat >> "$GITHUB_ENV" <<X\nPYTHONPATH<<EOF\nsrc:\nEOF\nX\n',
     '2 UH302', ""),
    ('make, several lines', 'Makefile',
     'define PYTHONPATH\nsrc:.\nendef\nexport PYTHONPATH\n',
     '1 UH302', ""),
    ('make, several lines exported', 'a/Makefile',
     'export define PYTHONPATH =\nsrc\nendef\nt:\n\tPYTHONPATH=x y\n',
     '1 UH301, 5 UH301', ""),
    ('make, target-specific unexport', 'b/Makefile',
     't: unexport PYTHONPATH\nt: unexport PYTHONPATH = y\ndefine OTHER\nPYTHONPATH=x y\nendef\n',
     '4 UH301', ""),
    ('files of a ConfigMap', 'cm.yaml',
     'kind: ConfigMap\ndata:\n  run.sh: |\n    #!/bin/sh\n    export PYTHONPATH=/a:$PYTHONPATH\n  app.env: |\n    A=1\n    PYTHONPATH=/b\n  PYTHONPATH: /c\n  entrypoint: |\n    PYTHONPATH=/d x\n  note: |\n    PYTHONPATH=/e is set\n',
     '5 UH302, 8 UH301, 9 UH301, 11 UH301', ""),
]  # fmt: skip

CLEAN: list[tuple[str, str, str]] = [
    ("a form for issues", ".github/ISSUE_TEMPLATE/a.yml",
     "body:\n- attributes:\n    value: |\n      export PYTHONPATH=src\n"),
    ("a form for pull requests", ".github/PULL_REQUEST_TEMPLATE/a.yml", "a: PYTHONPATH=src x\n"),
    ("notes", "NOTES", "export PYTHONPATH=src\n"),
    ("a text on usage", "USAGE", "export PYTHONPATH=src\n"),
    ("a sentence in YAML", "x.yaml", 'steps: ["Set PYTHONPATH=src first"]\n'),
    ("a sentence in a pipeline", ".gitlab-ci.yml", 'steps: ["Set PYTHONPATH=src first"]\n'),
    ("a step's name", AZURE,
     "steps:\n- script: x\n  displayName: PYTHONPATH=src pytest\n  name: PYTHONPATH=src x\n"),
    ("a map of another kind", "k8s/a.yaml", "kind: Other\ndata:\n  PYTHONPATH: /app\n"),
    ("a step's output", "a.sh", 'echo "PYTHONPATH=src" >> $GITHUB_OUTPUT\n'),
    ("a step's output in PowerShell", WORKFLOW, 'a:\n- run: |\n    "PYTHONPATH=x" >> $env:GITHUB_OUTPUT\n'),
    ("a group that is thrown away", "a.sh", "{ echo PYTHONPATH=src; } > /dev/null\n"),
    ("a group, but not this line", "a.sh", "{ echo PYTHONPATH=src >&2; echo A=1; } > .env\n"),
    ("a group that ended", "a.sh", "{ echo A=1; } > .env; echo PYTHONPATH=src\n"),
    ("an assertion", "a.bats", '@test "x" {\n  run x\n  assert_output "PYTHONPATH=src"\n}\n'),
    ("Jenkins, printed", "Jenkinsfile", 'echo "PYTHONPATH=x"\nprintln("PYTHONPATH=x")\n'),
    ("Vagrant, printed", "Vagrantfile", 'puts "PYTHONPATH=src"\n'),
    ("CMake, its own variable", "CMakeLists.txt", 'set(PYTHONPATH "x")\nlist(APPEND PYTHONPATH "y")\n'),
    ("CMake, printed", "CMakeLists.txt", 'message("PYTHONPATH=x y")\nmessage(STATUS "PYTHONPATH=x")\n'),
    ("just, a variable of its own", "justfile", 'PYTHONPATH := "x"\n'),
    ("make, kept to itself", "Makefile", "PYTHONPATH := src\nunexport PYTHONPATH\n"),
]  # fmt: skip

#: what, path, text, a part of the remedy
HINTS: list[tuple[str, str, str, str]] = [
    ("a shell", "a.sh", "PYTHONPATH=lib:$PYTHONPATH\n", "lib${PYTHONPATH:+:$PYTHONPATH}"),
    ("a Dockerfile", "Dockerfile", "ENV PYTHONPATH=/app:$PYTHONPATH\n", "/app${PYTHONPATH:+:"),
    ("a recipe", "Makefile", "t:\n\tPYTHONPATH=src:$$PYTHONPATH x\n", "src$${PYTHONPATH:+:$$P"),
    ("make", "Makefile", "export PYTHONPATH := src:$(PYTHONPATH)\n", "src$(if $(PYTHONPATH),:$("),
    ("fish", "a.fish", "set -gx PYTHONPATH src:$PYTHONPATH\n", "set -gx PYTHONPATH src $PYTHONPATH"),
    ("batch", "a.bat", "set PYTHONPATH=src;%PYTHONPATH%\n", '(set "PYTHONPATH=src;%PYTHONPATH%")'),
    ("PowerShell", "a.ps1", '$env:PYTHONPATH = "src;$env:PYTHONPATH"\n', "-join ';'"),
    ("PowerShell in a pipeline", WORKFLOW,
     "steps:\n- run: $env:PYTHONPATH = \"src;$env:PYTHONPATH\"\n", "-join ';'"),
    ("a shell in a pipeline", WORKFLOW, "steps:\n- run: export PYTHONPATH=src:$PYTHONPATH\n",
     "src${PYTHONPATH:+:$PYTHONPATH}"),
    ("a map in a pipeline", WORKFLOW, "env:\n  PYTHONPATH: src:$PYTHONPATH\n", "drop the inherited"),
    ("VS Code", ".vscode/settings.json", '{"a.env": {"PYTHONPATH": "src:${env:PYTHONPATH}"}}\n',
     'drop the inherited value and write "src"'),
    ("dotenv", ".env", "PYTHONPATH=src:lib:$PYTHONPATH\n", 'and write "src:lib"'),
    ("tox", "tox.ini", "[testenv]\nsetenv = PYTHONPATH=src:{env:PYTHONPATH}\n", "package = editable"),
    ("what is computed is an example", "a.sh", 'PYTHONPATH="$(x):$PYTHONPATH"\n', '"src${PYTHONPATH:+'),
]  # fmt: skip

#: the same forms, written as the hints say
REMEDIES: list[tuple[str, str, str]] = [
    ("a shell", "a.sh", 'PYTHONPATH="lib${PYTHONPATH:+:$PYTHONPATH}"\n'),
    ("a Dockerfile", "Dockerfile", 'ENV PYTHONPATH="/app${PYTHONPATH:+:$PYTHONPATH}"\n'),
    ("a recipe", "Makefile", 't:\n\tPYTHONPATH="src$${PYTHONPATH:+:$$PYTHONPATH}" x\n'),
    ("make", "Makefile", "export PYTHONPATH := src$(if $(PYTHONPATH),:$(PYTHONPATH))\n"),
    ("fish", "a.fish", "set -gx PYTHONPATH src $PYTHONPATH\n"),
    ("batch", "a.bat", 'if defined PYTHONPATH (set "PYTHONPATH=src;%PYTHONPATH%") else'
     ' set "PYTHONPATH=src"\n'),
    ("PowerShell", "a.ps1",
     "$env:PYTHONPATH = (@('src', $env:PYTHONPATH) | Where-Object { $_ }) -join ';'\n"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "path", "text", "part"), HINTS, ids=[row[0] for row in HINTS])
def test_the_remedy_is_of_the_form(what: str, path: str, text: str, part: str) -> None:
    result = scan(path, text.encode())
    assert result is not None
    verdicts = [judge(a, result.format, path) for a in result.assignments]
    assert [v.code for v in verdicts if v] == ["UH302"]
    assert part in next(v.hint for v in verdicts if v)


@pytest.mark.parametrize(("what", "path", "text"), REMEDIES, ids=[row[0] for row in REMEDIES])
def test_a_remedy_leaves_no_empty_element(what: str, path: str, text: str) -> None:
    assert "UH302" not in str(found(path, text))


@pytest.mark.parametrize(
    ("what", "path", "text", "expected", "part"), FOUND, ids=[row[0] for row in FOUND]
)
def test_found(what: str, path: str, text: str, expected: str, part: str) -> None:
    said = found(path, text)
    assert [place for place, _ in said] == expected.split(", ")
    assert part in said[0][1]


@pytest.mark.parametrize(("what", "path", "text"), CLEAN, ids=[row[0] for row in CLEAN])
def test_clean(what: str, path: str, text: str) -> None:
    assert found(path, text) == []
