-- A ledger that version 0.1.0 made, as SQLite dumps it.
PRAGMA application_id = 2003331444;
PRAGMA user_version = 1;
BEGIN TRANSACTION;
CREATE TABLE event (
    number INTEGER PRIMARY KEY,
    hash TEXT NOT NULL UNIQUE,
    line TEXT NOT NULL
) STRICT;
INSERT INTO "event" VALUES(1,'a906a7f5b712199917ac603590fb4aa756ba713e98bb1c2e2660772d4e108cff','{"act":"population","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"name":"people","neighbours":"ADD_REMOVE","parts":["north","south"],"unit":{"name":"person","period":"the whole of the data"}},"key":"","notes":[],"number":1,"previous":"0000000000000000000000000000000000000000000000000000000000000000","request":""}');
INSERT INTO "event" VALUES(2,'74bf4280821a664b17f8d7a9a1b2c422501e4cc19bb606d7a83526e9bf02c5e9','{"act":"open","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"books":[["zcdp","1/100"]],"failure":"1/100","limits":["posterior=0.3, prior=0.1, when=ever"],"most":{"posterior=0.3, prior=0.1, when=ever":{"zcdp":"6242813841396295/72057594037927936"}},"name":"years","opens":"","period":"","population":"people","second_person":0,"within":""},"key":"","notes":[],"number":2,"previous":"a906a7f5b712199917ac603590fb4aa756ba713e98bb1c2e2660772d4e108cff","request":""}');
INSERT INTO "event" VALUES(3,'58878d878a00178903260e1949a0bbd97bccf0cb135a4071e6a2b80ea9f6e8a6','{"act":"open","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"books":[["pure","0"],["zcdp","1/100"]],"failure":"1/100","limits":["posterior=0.3, prior=0.1, when=ever"],"most":{"posterior=0.3, prior=0.1, when=ever":{"pure":"6079529459429059/4503599627370496","zcdp":"6242813841396295/72057594037927936"}},"name":"2026","opens":"","period":"","population":"people","second_person":0,"within":"years"},"key":"","notes":[],"number":3,"previous":"74bf4280821a664b17f8d7a9a1b2c422501e4cc19bb606d7a83526e9bf02c5e9","request":""}');
INSERT INTO "event" VALUES(4,'917875b443175f3e027e8dbeaa0a0097844bb9a30f00f336ffb2068a4e0ce90c','{"act":"reserve","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"entry":{"account":"2026","charges":{"pure":null,"zcdp":"1/1024"},"promise":"ZeroConcentratedDP(rho=0.0009765625)","recipient":"uni","requester":"ada","what":"before the quota, out"}},"key":"","notes":[],"number":4,"previous":"58878d878a00178903260e1949a0bbd97bccf0cb135a4071e6a2b80ea9f6e8a6","request":""}');
INSERT INTO "event" VALUES(5,'c952fa9a5f902d967581af908bb53c65f7c90f6052dc1a44a76e50c10f76c6d9','{"act":"release","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"of":4},"key":"","notes":[],"number":5,"previous":"917875b443175f3e027e8dbeaa0a0097844bb9a30f00f336ffb2068a4e0ce90c","request":""}');
INSERT INTO "event" VALUES(6,'46aa33edd9c4ae2d5d1453d224ad78d09af00c2bfe1e2eeae64648dc42583187','{"act":"reserve","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"entry":{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","what":"before the quota, cancelled after it"}},"key":"","notes":[],"number":6,"previous":"c952fa9a5f902d967581af908bb53c65f7c90f6052dc1a44a76e50c10f76c6d9","request":""}');
INSERT INTO "event" VALUES(7,'8a30148b4539eb4f0d9953b532133e7478f35a01924c458abdc006a6d5064c22','{"act":"quota","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"account":"2026","quota":{"zcdp":"1/512"},"recipient":"uni"},"key":"","notes":[],"number":7,"previous":"46aa33edd9c4ae2d5d1453d224ad78d09af00c2bfe1e2eeae64648dc42583187","request":""}');
INSERT INTO "event" VALUES(8,'5fc3e371aad59faf1e5091247f53aa400b8b45804db8561820d536551425f66b','{"act":"cancel","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"of":6,"statement":"it did not run"},"key":"","notes":[],"number":8,"previous":"8a30148b4539eb4f0d9953b532133e7478f35a01924c458abdc006a6d5064c22","request":""}');
INSERT INTO "event" VALUES(9,'f09286a61a817c99b431b43ea742654e016640636445b3ad6840125591f763b3','{"act":"reserve","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"entry":{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","what":"fits the quota as it was counted"}},"key":"","notes":[],"number":9,"previous":"5fc3e371aad59faf1e5091247f53aa400b8b45804db8561820d536551425f66b","request":""}');
INSERT INTO "event" VALUES(10,'d00d9c6f6641ce4671b43fb0564706a91e543b9090221981cc681ab161f35fd6','{"act":"reserve","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"entry":{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","what":"so does this, since the count was below 0"}},"key":"","notes":[],"number":10,"previous":"f09286a61a817c99b431b43ea742654e016640636445b3ad6840125591f763b3","request":""}');
INSERT INTO "event" VALUES(11,'4221d9e1ca4fe277a11cdd63aa9009de868d043f15247041cb398e3a7f60753d','{"act":"quota","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"account":"2026","quota":{"pure":"10"},"recipient":"uni"},"key":"","notes":[],"number":11,"previous":"d00d9c6f6641ce4671b43fb0564706a91e543b9090221981cc681ab161f35fd6","request":""}');
INSERT INTO "event" VALUES(12,'fe914656db88cefb9c21a1eb77afe07bc0439c95cfb523c264c59c0b8e8357c8','{"act":"quota","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"account":"2026","quota":{"zcdp":"1/512"},"recipient":"uni"},"key":"","notes":[],"number":12,"previous":"4221d9e1ca4fe277a11cdd63aa9009de868d043f15247041cb398e3a7f60753d","request":""}');
INSERT INTO "event" VALUES(13,'5fd2fd76acc035e681716e13ec250a7244fe5fac628658bd55e0b89a22a8dae1','{"act":"reserve","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"entry":{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","what":"so does this, since it was forgotten"}},"key":"","notes":[],"number":13,"previous":"fe914656db88cefb9c21a1eb77afe07bc0439c95cfb523c264c59c0b8e8357c8","request":""}');
INSERT INTO "event" VALUES(14,'56f0a8ba1fc778b9d727b78610deb68fc87e3ae941d5d9ea2201f3028c5c900b','{"act":"reserve","actor":"ada","at":"2026-01-01T00:00:00.000000Z","body":{"entry":{"account":"2026","charges":{"pure":null,"zcdp":"1/1024"},"promise":"ZeroConcentratedDP(rho=0.0009765625)","requester":"ada","until":"2026-01-01T00:05:00.000000Z","what":"overdue"}},"key":"","notes":[],"number":14,"previous":"5fd2fd76acc035e681716e13ec250a7244fe5fac628658bd55e0b89a22a8dae1","request":""}');
INSERT INTO "event" VALUES(15,'aca47ab9fd73bdbacef1cc84d02cfc5504273ee4c509de5483ac21a43c404075','{"act":"correct","actor":"ada","at":"2026-01-01T01:00:00.000000Z","body":{"entry":{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"corrects":14,"promise":"ZeroConcentratedDP(rho=0.001953125)","requester":"ada","what":"overdue and corrected"}},"key":"","notes":[],"number":15,"previous":"56f0a8ba1fc778b9d727b78610deb68fc87e3ae941d5d9ea2201f3028c5c900b","request":""}');
CREATE TABLE listing (
    account TEXT NOT NULL,
    number INTEGER NOT NULL,
    weight REAL NOT NULL,
    PRIMARY KEY (account, number)
) STRICT, WITHOUT ROWID;
INSERT INTO "listing" VALUES('2026',9,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('2026',10,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('2026',13,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('2026',15,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('2026',4,1.12719594025127971964e-02);
INSERT INTO "listing" VALUES('2026',6,0.0);
INSERT INTO "listing" VALUES('2026',14,0.0);
INSERT INTO "listing" VALUES('years',9,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('years',10,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('years',13,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('years',15,2.25439188050255943929e-02);
INSERT INTO "listing" VALUES('years',4,1.12719594025127971964e-02);
INSERT INTO "listing" VALUES('years',6,0.0);
INSERT INTO "listing" VALUES('years',14,0.0);
CREATE TABLE migration (
    number INTEGER PRIMARY KEY,
    digest TEXT NOT NULL
) STRICT;
INSERT INTO "migration" VALUES(1,'070a746d08e8c91fc623508ce074a286bd2caa8e8d0100aff6787a2963806da8');
CREATE TABLE request (
    key TEXT PRIMARY KEY,
    digest TEXT NOT NULL,
    number INTEGER NOT NULL REFERENCES event (number)
) STRICT;
CREATE TABLE shelf (
    place TEXT PRIMARY KEY,
    body TEXT NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO "shelf" VALUES('account/2026','{"books":[["pure","0"],["zcdp","1/100"]],"failure":"1/100","limits":["posterior=0.3, prior=0.1, when=ever"],"most":{"posterior=0.3, prior=0.1, when=ever":{"pure":"6079529459429059/4503599627370496","zcdp":"6242813841396295/72057594037927936"}},"name":"2026","opens":"","period":"","population":"people","second_person":0,"within":"years"}');
INSERT INTO "shelf" VALUES('account/years','{"books":[["zcdp","1/100"]],"failure":"1/100","limits":["posterior=0.3, prior=0.1, when=ever"],"most":{"posterior=0.3, prior=0.1, when=ever":{"zcdp":"6242813841396295/72057594037927936"}},"name":"years","opens":"","period":"","population":"people","second_person":0,"within":""}');
INSERT INTO "shelf" VALUES('entry/10','{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"number":10,"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","state":"reserved","what":"so does this, since the count was below 0"}');
INSERT INTO "shelf" VALUES('entry/13','{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"number":13,"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","state":"reserved","what":"so does this, since it was forgotten"}');
INSERT INTO "shelf" VALUES('entry/14','{"account":"2026","charges":{"pure":null,"zcdp":"1/1024"},"corrected_by":15,"number":14,"promise":"ZeroConcentratedDP(rho=0.0009765625)","requester":"ada","state":"reserved","until":"2026-01-01T00:05:00.000000Z","what":"overdue"}');
INSERT INTO "shelf" VALUES('entry/15','{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"corrects":14,"number":15,"promise":"ZeroConcentratedDP(rho=0.001953125)","requester":"ada","state":"reserved","what":"overdue and corrected"}');
INSERT INTO "shelf" VALUES('entry/4','{"account":"2026","charges":{"pure":null,"zcdp":"1/1024"},"number":4,"promise":"ZeroConcentratedDP(rho=0.0009765625)","recipient":"uni","requester":"ada","state":"released","what":"before the quota, out"}');
INSERT INTO "shelf" VALUES('entry/6','{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"number":6,"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","state":"cancelled","what":"before the quota, cancelled after it"}');
INSERT INTO "shelf" VALUES('entry/9','{"account":"2026","charges":{"pure":null,"zcdp":"1/512"},"number":9,"promise":"ZeroConcentratedDP(rho=0.001953125)","recipient":"uni","requester":"ada","state":"reserved","what":"fits the quota as it was counted"}');
INSERT INTO "shelf" VALUES('head','[15,"aca47ab9fd73bdbacef1cc84d02cfc5504273ee4c509de5483ac21a43c404075"]');
INSERT INTO "shelf" VALUES('population/people','{"name":"people","neighbours":"ADD_REMOVE","parts":["north","south"],"unit":{"name":"person","period":"the whole of the data"}}');
INSERT INTO "shelf" VALUES('position/2026','{"books":{"pure":{"everybody":null,"parts":{}},"zcdp":{"everybody":"9/1024","parts":{}}},"entries":7,"quotas":{"uni":{"zcdp":"1/512"}},"recipients":{"uni":{"zcdp":"1/512"}}}');
INSERT INTO "shelf" VALUES('position/years','{"books":{"zcdp":{"everybody":"9/1024","parts":{}}},"entries":7,"quotas":{},"recipients":{}}');
CREATE TRIGGER event_is_not_updated BEFORE UPDATE ON event BEGIN SELECT RAISE(ABORT, 'an event is never changed'); END;
CREATE TRIGGER event_is_not_deleted BEFORE DELETE ON event BEGIN SELECT RAISE(ABORT, 'an event is never deleted'); END;
CREATE TRIGGER request_is_not_updated BEFORE UPDATE ON request BEGIN SELECT RAISE(ABORT, 'a request is never changed'); END;
CREATE TRIGGER request_is_not_deleted BEFORE DELETE ON request BEGIN SELECT RAISE(ABORT, 'a request is never deleted'); END;
CREATE INDEX heaviest ON listing (account, weight DESC);
COMMIT;
