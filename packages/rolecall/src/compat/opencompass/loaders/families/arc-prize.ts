import { BadData } from '../bad-data.ts'
import { joinPath } from '../files.ts'
import type { Loader } from '../loader.ts'
import { at, listAt, type RowDict, row } from '../row-values.ts'
import { fromList } from '../table.ts'

/** One file per task: pairs of grids, and an input grid whose output is the answer. */
export const arcPrize: Loader = {
  reads: 'a folder with a .json file for each task of ARC-AGI: train, test',
  takes: ['path', 'version'],
  async load(data, settings) {
    const version = settings.text('version')
    const tasks = Object.hasOwn(arcPrizeTasks, version) ? arcPrizeTasks[version] : undefined
    if (!tasks) throw new BadData(`"version" is none of ${Object.keys(arcPrizeTasks).join(', ')}`)
    const path = await data.path(settings.path)
    const rows: RowDict[] = []
    for (const name of await data.names(path)) {
      if (!name.endsWith('.json') || !tasks.has(name.slice(0, -'.json'.length))) continue
      const task = await data.json(joinPath(path, name))
      const asked = at(listAt(task, 'test'), 0)
      rows.push(row({ training_data: at(task, 'train'), input_test_data: at(asked, 'input'), output_test_data: at(asked, 'output') }))
    }
    return fromList(rows)
  },
}

const first = `
2072aba6 bb52a14b 136b0064 ea9794b1 40f6cd08 f5aa3634 7039b2d7 712bf12e 9b365c51 ccd554ac f9d67f8b 03560426 e2092e0c 8fbca751 42918530 c64f1187
00576224 705a3229 af24b4cc 81c0276b f21745ec 8dae5dfc 4e469f39 695367ec dc2aa30b b9630600 770cc55f 3391f8c0 c1990cce 1da012fc 50a16a69 212895b5
e69241bd 692cd3b6 0bb8deee 9772c176 22a4bbc2 ca8de6ea dc2e9a9d 4aab4007 cfb2ce5a 9f27f097 2c737e39 84db8fc4 e1baa8a4 ea959feb 4f537728 47996f11
bf32578f aee291af 5d2a5c43 2546ccf6 e57337a4 d4b1c2b1 20981f0e 05a7bcf2 fc754716 6ad5bdfd e88171ec 1acc24af 34b99a2b e78887d1 4acc7107 137f0df0
62b74c02 50aad11f 642d658d 64a7c07e bd14c3bf 73c3b0d8 e0fb7511 c7d4e6ad 85b81ff1 e760a62e ca8f78db d931c21c aab50785 ac605cbb 3194b014 68b67ca3
e7b06bea e5790162 da2b0fe3 0becf7df fe9372f3 d56f2372 e66aafb8 b7999b51 2697da3f 516b51b7 9a4bb226 195ba7dc 310f3251 639f5a19 0d87d2a6 c663677b
e74e1818 69889d6e f45f5ca7 8597cfd7 0c9aba6e e9b4f6fc e7639916 5207a7b5 e4075551 90347967 9ddd00f0 4b6b68e5 e9c9d9a1 2f0c5170 58e15b12 d37a1ef5
62ab2642 b457fec5 c97c0139 ac0c5833 7d419a02 4ff4c9da 4cd1b7b2 27a77e38 66f2d22f 2a5f8217 c074846d c6e1b8da 319f2597 94be5b80 55783887 60c09cac
f823c43c d492a647 e681b708 15663ba9 a3f84088 103eff5b 5a5a2103 1e97544e 009d5c81 ed74f2f2 ce039d91 baf41dbf 3490cc26 ce8d95cc 3f23242b 1d0a4b61
8719f442 d94c3b52 4c177718 59341089 3ee1011a f5c89df1 5833af48 d4c90558 88207623 833dafe3 070dd51e 3ed85e70 21f83797 7c8af763 5783df64 a57f2f04
e9ac8c9e aa18de87 505fff84 5ffb2104 42a15761 1a2e2828 0607ce86 84f2aca1 456873bc 903d1b4a 0f63c0b9 54db823b ad7e01d0 8e2edd66 79fb03f4 4364c1c4
e7a25a18 e133d23d e21a174a 55059096 e95e3d8e 94414823 9356391f 15113be4 ba9d41b8 52fd389e de493100 9c56f360 c92b942c 97239e3d b0f4d537 19bb5feb
506d28a5 5b692c0f ef26cbf6 e345f17b 7d1f7ee8 ac3e2b04 551d5bf1 fb791726 2037f2c7 e6de6e8f 3d31c5b3 d19f7514 1d398264 358ba94e 696d4842 08573cc6
7e02026e 7953d61e c3202e5a 351d6448 fea12743 12422b43 b942fd60 bcb3040b e41c6fd3 a59b95c0 3a301edc 0b17323b da515329 96a8c0cd 6f473927 9def23fe
c35c1b4c be03b35f 604001fa d304284e cb227835 e9bb6954 ac2e8ecf 1e81d6f9 72207abc 37d3e8b2 c8b7cc0f a096bf4d 1c02dbbe fd096ab6 9bebae7a 25094a63
b7fb29bc aa4ec2a5 50f325b5 423a55dc b0722778 e7dd8335 f3cdc58f cad67732 256b0a75 d282b262 58743b76 6df30ad6 9110e3c5 48f8583b a680ac02 642248e4
2685904e 48131b3c b7cb93ac 73182012 df8cc377 3b4c2228 93c31fbe 8ee62060 9b2a60aa f0df5ff0 917bccba ed98d772 bf89d739 f3e62deb 11e1fe23 bbb1b8b6
f4081712 817e6c09 45bbe264 f3b10344 fafd9572 b7f8a4d8 2c0b0aff 8cb8642d 67c52801 d47aa2ff 0934a4d8 60a26a3e cf133acc 5289ad53 16b78196 09c534e7
f83cb3f6 d017b73f b20f7c8b 5af49b42 18419cfa 929ab4e9 6a11f6da 17cae0c1 e99362f0 1c56ad9f 8a371977 e633a9e5 c658a4bd bc4146bd 67636eac 4e45f183
17b80ad2 94133066 e1d2900e a934301b 0a2355a6 45737921 332efdb3 7bb29440 f9a67cb5 a8610ef7 32e9702f 0c786b71 626c0bcc aa300dc3 c62e2108 0692e18c
af22c60d 992798f6 c48954c1 5b526a93 ae58858e ff72ca3e 2b01abd0 7d18a6fb 963f59bc 759f3fd3 7c9b52a0 4852f2fa 14754a24 c87289bb 845d6e51 281123b4
79369cc6 0a1d4ef5 477d2879 72a961c9 67b4a34d e5c44e8f bf699163 13713586 27f8ce4f 95a58926 15696249 d2acf2cb 140c817e 1990f7a8 782b5218 8b28cd80
92e50de0 e619ca6e 5b6cbef5 575b1a71 66e6c45b 31adaf00 6ea4a07e f0afb749 00dbd492 b1fc8b8e fd4b2b02 b15fca0b a04b2602 20818e16 762cd429 29700607
d5c634a2 a406ac07 8ba14f53 184a9768 12997ef3 dd2401ed f8be4b64 12eac192 31d5ba1a b4a43f3b 7ee1c6ea 9b4c17c4 981571dc 93b4f4b3 9caba7c3 891232d6
85fa5666 0e671a1a 73ccf9c2 414297c0 e872b94a 99306f82 3979b1a8 2753e76c 1c0d0a4b 292dd178 cd3c21df 33b52de3 ecaa0ec1 896d5239 1a6449f1 9c1e755f`

const second = `
136b0064 898e7135 a32d8b75 7491f3cf 2d0172a1 71e489b6 21897d95 446ef5d2 8e5c0c38 3e6067c3 7ed72f31 1ae2feb7 9aaea919 8b9c3697 53fb4810 e8686506
a47bf94d 4a21e3da 8f3a5a89 edb79dae fc7cae8d b0039139 db695cfb 409aa875 3a25b0d8 2c181942 b6f77b65 13e47133 64efde09 89565ca0 d59b0160 135a2760
cbebaa4b 5545f144 bf45cf4b 20a9e565 221dfab4 a251c730 faa9f03d 8b7bacbf e376de54 8698868d b99e7126 4c7dc4dd d8e07eb2 291dc1e1 62593bfd 7b5033c1
4c3d4a41 4e34c42c 16de56c4 6ffbe589 88bcf3b4 a25697e4 9bbf930d 195c6913 332f06d7 dd6b8c4b 31f7f899 7b0280bc 5dbc8537 dfadab01 88e364bc 9385bd28
20270e3b 247ef758 269e22fb 1818057f 271d71e2 da515329 3dc255db 142ca369 eee78d87 aa4ec2a5 db0c5428 f931b4a8 e3721c99 45a5af55 35ab12c3 2b83f449
cb2d8a2c a6f40cea abc82100 a395ee82 b5ca7ac4 67e490f4 7c66cb00 0934a4d8 16b78196 b9e38dc0 58490d8a 4c416de3 7666fa5d 7b80bb43 de809cff e12f9a14
6e4f6532 6e453dd6 78332cb0 8f215267 58f5dbd5 581f7754 800d221b d35bdbdc b10624e5 dbff022c 65b59efc 97d7923e c7f57c3e 2ba387bc 28a6681f 5961cc34
80a900e0 981571dc f560132c e87109e9 38007db0 36a08778 c4d067a0 7b3084d4`

const names = (text: string) => new Set(text.trim().split(/\s+/))

/** The public evaluation tasks of ARC-AGI-1 and ARC-AGI-2; other files in the folder are ignored. */
const arcPrizeTasks: Readonly<Record<string, ReadonlySet<string>>> = { arc_agi_1: names(first), arc_agi_2: names(second) }
