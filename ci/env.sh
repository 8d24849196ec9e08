# What the scripts of this directory start with: the root of the checkout, and its .venv, set up if need be.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
make --silent setup
export PATH=$PWD/.venv/bin:$PATH
export HYPOTHESIS_PROFILE=${HYPOTHESIS_PROFILE:-ci}
