"""O que a porta do curso usa: os comandos, o terminal, a instalação, os testes e o JupyterLab.

A porta usa só a biblioteca padrão.
"""
