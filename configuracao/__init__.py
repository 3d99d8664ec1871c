"""O que a porta do curso usa: os comandos, o terminal, a instalação, os testes e o JupyterLab.

Tudo, salvo travar.py, usa só a biblioteca padrão.
"""
