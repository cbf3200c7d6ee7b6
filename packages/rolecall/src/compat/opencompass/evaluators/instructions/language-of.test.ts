import { expect, test } from 'vitest'
import { languageOf } from './language-of.ts'

const texts: [language: string, text: string][] = [
  // Few common words, one of which is more common in Dutch.
  ['en', '<<grey morning>>\n\ngathering geese over bogs'],
  ['en', 'singing gulls gliding\nover galloping grey waves'],
  ['en', 'YO! THE SKY IS FALLING AND NOBODY KNOWS WHY'],
  ['en', 'old pond\na frog jumps in\nsplash'],
  ['nl', 'De regen valt zacht over de stad, en niemand heeft een paraplu.'],
  ['de', 'Der Regen fällt leise auf die Stadt.'],
  ['sv', 'Regnet faller över staden, och ingen har ett paraply.'],
  ['da', 'Regnen falder over byen, og ingen har en paraply.'],
  ['it', 'La pioggia cade sulla città e nessuno ha un ombrello.'],
  ['pt', 'A chuva cai sobre a cidade, e ninguém tem um guarda-chuva. Não há solução.'],
  ['es', 'La lluvia cae sobre la ciudad y nadie tiene un paraguas.'],
  ['fr', 'La pluie tombe sur la ville et personne n’a de parapluie.'],
  ['vi', 'Mưa rơi trên thành phố và không ai có ô.'],
  ['fi', 'Sade putoaa kaupungissa eikä kenelläkään ole sateenvarjoa.'],
  ['pl', 'Deszcz pada na miasto i nikt nie ma parasola.'],
  ['tr', 'Yağmur şehrin üzerine yağıyor ve kimsenin şemsiyesi yok.'],
  ['sw', 'Mvua inanyesha katika mji na watu wote wako nyumbani.'],
  // Hindi has the letter of the Nepali copula in many words.
  ['hi', 'कुछ नया करने की चाह है, अच्छा सा एक विचार है। छोटी सी शुरुआत से, बनता बड़ा व्यापार है।'],
  ['hi', 'बारिश शहर पर गिर रही है और किसी के पास छाता नहीं है।'],
  ['ne', 'शहरमा पानी परिरहेको छ र कसैसँग छाता छैन।'],
  ['mr', 'शहरात पाऊस पडत आहे आणि कोणाकडेही छत्री नाही.'],
  ['bg', 'Дъждът вали над града и никой няма чадър.'],
  ['ru', 'Дождь идёт над городом, и ни у кого нет зонта.'],
  ['uk', 'Дощ іде над містом, і ні в кого немає парасольки.'],
  ['ur', 'شہر میں بارش ہو رہی ہے اور کسی کے پاس چھتری نہیں ہے۔'],
  ['fa', 'باران بر شهر می‌بارد و هیچ‌کس چتر ندارد.'],
  ['ar', 'المطر يهطل على المدينة ولا أحد لديه مظلة.'],
  ['kn', 'ನಗರದಲ್ಲಿ ಮಳೆ ಬರುತ್ತಿದೆ.'],
  ['ja', '街に雨が降っていて、誰も傘を持っていません。'],
  ['zh-cn', '城里下着雨，没有人带伞。'],
]
test.each(texts)('%s: %j', (language, text) => expect(languageOf(text)).toBe(language))

test('a text without letters has none', () => expect(languageOf('1 + 1 = 2')).toBeUndefined())
