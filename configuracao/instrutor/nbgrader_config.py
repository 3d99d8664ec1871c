"""O formgrader sem a pasta de troca: as entregas vêm pelo Moodle, não por um servidor compartilhado."""

import os

from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeList

c = get_config()


class SemTroca(ExchangeList):
    """Diz ao formgrader que não há troca, sem procurar uma pasta do sistema nem reclamar no terminal."""

    def start(self):
        raise ExchangeError("este curso não usa a pasta de troca do nbgrader")


if not os.environ.get("CURSO_TROCA"):
    c.ExchangeFactory.list = SemTroca
c.FormgradeExtension.debug = False  # sem o despejo da configuração no alto da primeira tela
