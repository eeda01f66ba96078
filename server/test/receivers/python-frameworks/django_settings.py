"""A Django project with the example as its only view."""

import os

import django_view
from django.core.wsgi import get_wsgi_application
from django.urls import path

SECRET_KEY = "of the test"
ALLOWED_HOSTS = ["127.0.0.1"]
ROOT_URLCONF = "django_settings"
MIDDLEWARE = ["django.middleware.common.CommonMiddleware", "django.middleware.csrf.CsrfViewMiddleware"]
DATABASES = {"default": {"ENGINE": "django.db.backends.sqlite3", "NAME": os.environ["DATABASE"]}}
HOOKLINE_SECRET = os.environ["HOOKLINE_SECRET"]
urlpatterns = [path("webhooks/hookline", django_view.hookline)]
os.environ["DJANGO_SETTINGS_MODULE"] = "django_settings"
app = get_wsgi_application()
