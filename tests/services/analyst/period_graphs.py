"""Two small graphs of people in offices and clubs, and of companies: terms with exclusive, open and planned ends, gaps,
terms that follow each other, two holders at once, events."""

from collections.abc import Sequence

from tests.services.analyst.conftest import Row

CIVIC_TYPES = {
    "Person": ("Alma Reyes", "Bruno Keller", "Chidi Obi", "Dana Whitlock", "Erik Lund", "Farah Noor", "Goran Ilic"),
    "Office": ("Mayor of Tarn", "Senator for Elwy"),
    "Club": ("Tarn Rowing Club", "Elwy Chess Circle", "Moss Rangers", "Vale United", "Dunmore Athletic"),
    "City": ("Tarn", "Elwy"),
    "School": ("Orme College",),
    "Prize": ("Silver Quill",),
}
CIVIC: Sequence[Row] = (
    ("Alma Reyes", "HOLDS_POSITION", "Mayor of Tarn", "1994-01-01", "2002-01-01"),
    ("Bruno Keller", "HOLDS_POSITION", "Mayor of Tarn", "2002-01-01", "2006-05-10"),
    ("Chidi Obi", "HOLDS_POSITION", "Mayor of Tarn", "2008-03-01", "2015-01-01"),
    ("Dana Whitlock", "HOLDS_POSITION", "Mayor of Tarn", "2015-01-01", "2019-01-01"),
    ("Dana Whitlock", "HOLDS_POSITION", "Mayor of Tarn", "2019-01-01", "2031-01-01"),
    ("Erik Lund", "HOLDS_POSITION", "Senator for Elwy", "2001-01-03", "2007-01-03"),
    ("Erik Lund", "HOLDS_POSITION", "Senator for Elwy", "2007-01-03", "2013-01-03"),
    ("Erik Lund", "HOLDS_POSITION", "Senator for Elwy", "2013-01-03", ""),
    ("Farah Noor", "HOLDS_POSITION", "Senator for Elwy", "2005-06-01", "2011-06-01"),
    ("Alma Reyes", "MEMBER_OF", "Tarn Rowing Club", "1990-04-01", ""),
    ("Bruno Keller", "MEMBER_OF", "Tarn Rowing Club", "1998-04-01", "2004-04-01"),
    ("Chidi Obi", "MEMBER_OF", "Tarn Rowing Club", "2006-09-01", "2010-09-01"),
    ("Chidi Obi", "MEMBER_OF", "Elwy Chess Circle", "2012-02-01", ""),
    ("Goran Ilic", "PLAYS_FOR", "Moss Rangers", "1995-07-01", "1999-07-01"),
    ("Goran Ilic", "PLAYS_FOR", "Vale United", "1999-07-01", "2003-02-01"),
    ("Goran Ilic", "PLAYS_FOR", "Moss Rangers", "2004-08-01", "2006-07-01"),
    ("Goran Ilic", "PLAYS_FOR", "Dunmore Athletic", "2006-07-01", ""),
    ("Bruno Keller", "PLAYS_FOR", "Vale United", "1980-07-01", "1986-07-01"),
    ("Alma Reyes", "BORN_IN", "Elwy", "1956-11-02", ""),
    ("Farah Noor", "BORN_IN", "Tarn", "1961-05-20", ""),
    ("Alma Reyes", "GRADUATED_FROM", "Orme College", "1978-06-30", ""),
    ("Farah Noor", "GRADUATED_FROM", "Orme College", "1984-06-30", ""),
    ("Chidi Obi", "WON", "Silver Quill", "2009-10-05", ""),
    ("Farah Noor", "WON", "Silver Quill", "2012-10-05", ""),
    ("Alma Reyes", "LIVES_IN", "Elwy", "1956-11-02", "1985-03-01"),
    ("Alma Reyes", "LIVES_IN", "Tarn", "1985-03-01", ""),
    ("Bruno Keller", "MARRIED_TO", "Farah Noor", "1990-08-08", "2001-12-01"),
)

TRADE_TYPES = {
    "Company": ("Ardent Mills", "Basalt Foods", "Corvid Labs", "Delta Looms", "Ember Rail"),
    "Person": ("Hugo Brandt", "Irene Sato", "Jonas Weil", "Kemi Adeyemi"),
    "Town": ("Norburg", "Port Sable", "Quern"),
    "Standing": ("Private", "Listed", "Insolvent"),
}
TRADE: Sequence[Row] = (
    ("Hugo Brandt", "CEO_OF", "Ardent Mills", "2006-04-01", "2012-10-01"),
    ("Irene Sato", "CEO_OF", "Ardent Mills", "2012-10-01", "2013-09-30"),
    ("Jonas Weil", "CEO_OF", "Ardent Mills", "2013-09-30", "2018-06-15"),
    ("Kemi Adeyemi", "CEO_OF", "Ardent Mills", "2018-06-15", ""),
    ("Hugo Brandt", "CEO_OF", "Basalt Foods", "2014-01-01", "2016-01-01"),
    ("Irene Sato", "CEO_OF", "Basalt Foods", "2016-01-01", "2030-01-01"),
    ("Ardent Mills", "HAS_STATUS", "Private", "2000-05-01", "2009-03-01"),
    ("Ardent Mills", "HAS_STATUS", "Listed", "2009-03-01", "2017-11-20"),
    ("Ardent Mills", "HAS_STATUS", "Private", "2017-11-20", ""),
    ("Basalt Foods", "HAS_STATUS", "Private", "2003-01-01", "2010-07-01"),
    ("Basalt Foods", "HAS_STATUS", "Listed", "2010-07-01", "2015-08-01"),
    ("Basalt Foods", "HAS_STATUS", "Insolvent", "2015-08-01", "2016-12-01"),
    ("Basalt Foods", "HAS_STATUS", "Private", "2016-12-01", ""),
    ("Corvid Labs", "HAS_STATUS", "Listed", "2009-06-01", ""),
    ("Delta Looms", "HAS_STATUS", "Insolvent", "2011-02-01", "2011-12-01"),
    ("Ardent Mills", "ACQUIRED", "Corvid Labs", "2014-05-05", ""),
    ("Ardent Mills", "ACQUIRED", "Delta Looms", "2011-12-01", ""),
    ("Basalt Foods", "ACQUIRED", "Ember Rail", "2019-02-02", ""),
    ("Ardent Mills", "HEADQUARTERED_IN", "Norburg", "2000-05-01", "2010-01-01"),
    ("Ardent Mills", "HEADQUARTERED_IN", "Port Sable", "2010-01-01", ""),
    ("Basalt Foods", "HEADQUARTERED_IN", "Quern", "2003-01-01", ""),
    ("Corvid Labs", "SUPPLIES", "Basalt Foods", "2005-01-01", "2008-01-01"),
)
