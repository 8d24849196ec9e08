"""`python -m swagcore` is `swag`."""

from swagcore.cli import main

if __name__ == "__main__":
    main()
