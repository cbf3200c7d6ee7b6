"""What the model knows: word lists and small facts, all written for it. Nothing is downloaded."""

# (country, its capital), in English and in Chinese.
COUNTRIES: list[tuple[str, str, str, str]] = [
    ('France', 'Paris', '法国', '巴黎'),
    ('Japan', 'Tokyo', '日本', '东京'),
    ('China', 'Beijing', '中国', '北京'),
    ('Italy', 'Rome', '意大利', '罗马'),
    ('Spain', 'Madrid', '西班牙', '马德里'),
    ('Germany', 'Berlin', '德国', '柏林'),
    ('Egypt', 'Cairo', '埃及', '开罗'),
    ('Russia', 'Moscow', '俄罗斯', '莫斯科'),
    ('Canada', 'Ottawa', '加拿大', '渥太华'),
    ('Australia', 'Canberra', '澳大利亚', '堪培拉'),
    ('India', 'New Delhi', '印度', '新德里'),
    ('Brazil', 'Brasilia', '巴西', '巴西利亚'),
    ('Mexico', 'Mexico City', '墨西哥', '墨西哥城'),
    ('Norway', 'Oslo', '挪威', '奥斯陆'),
    ('Sweden', 'Stockholm', '瑞典', '斯德哥尔摩'),
    ('Finland', 'Helsinki', '芬兰', '赫尔辛基'),
    ('Poland', 'Warsaw', '波兰', '华沙'),
    ('Greece', 'Athens', '希腊', '雅典'),
    ('Turkey', 'Ankara', '土耳其', '安卡拉'),
    ('Kenya', 'Nairobi', '肯尼亚', '内罗毕'),
    ('Peru', 'Lima', '秘鲁', '利马'),
    ('Chile', 'Santiago', '智利', '圣地亚哥'),
    ('Cuba', 'Havana', '古巴', '哈瓦那'),
    ('Portugal', 'Lisbon', '葡萄牙', '里斯本'),
    ('Austria', 'Vienna', '奥地利', '维也纳'),
    ('Hungary', 'Budapest', '匈牙利', '布达佩斯'),
    ('Ireland', 'Dublin', '爱尔兰', '都柏林'),
    ('Thailand', 'Bangkok', '泰国', '曼谷'),
    ('Vietnam', 'Hanoi', '越南', '河内'),
    ('Nepal', 'Kathmandu', '尼泊尔', '加德满都'),
    ('Iran', 'Tehran', '伊朗', '德黑兰'),
    ('Iraq', 'Baghdad', '伊拉克', '巴格达'),
    ('Denmark', 'Copenhagen', '丹麦', '哥本哈根'),
    ('Belgium', 'Brussels', '比利时', '布鲁塞尔'),
    ('Argentina', 'Buenos Aires', '阿根廷', '布宜诺斯艾利斯'),
    ('South Korea', 'Seoul', '韩国', '首尔'),
    ('Indonesia', 'Jakarta', '印度尼西亚', '雅加达'),
    ('Ukraine', 'Kyiv', '乌克兰', '基辅'),
    ('Czechia', 'Prague', '捷克', '布拉格'),
    ('Colombia', 'Bogota', '哥伦比亚', '波哥大'),
]

OPPOSITES: list[tuple[str, str]] = [
    ('hot', 'cold'), ('big', 'small'), ('up', 'down'), ('fast', 'slow'), ('day', 'night'),
    ('open', 'closed'), ('happy', 'sad'), ('light', 'dark'), ('hard', 'soft'), ('high', 'low'),
    ('wet', 'dry'), ('young', 'old'), ('rich', 'poor'), ('full', 'empty'), ('left', 'right'),
    ('early', 'late'), ('strong', 'weak'), ('good', 'bad'), ('long', 'short'), ('near', 'far'),
]  # fmt: skip

CHINESE_OPPOSITES: list[tuple[str, str]] = [
    ('大', '小'), ('上', '下'), ('快', '慢'), ('热', '冷'), ('高', '低'), ('长', '短'), ('新', '旧'),
    ('好', '坏'), ('多', '少'), ('左', '右'), ('早', '晚'), ('远', '近'), ('黑', '白'), ('开', '关'),
]  # fmt: skip

# Cities that tools are asked about, with their Chinese names.
CITIES: list[tuple[str, str]] = [
    ('Shanghai', '上海'), ('Beijing', '北京'), ('Paris', '巴黎'), ('Tokyo', '东京'), ('London', '伦敦'),
    ('New York', '纽约'), ('San Francisco', '旧金山'), ('Berlin', '柏林'), ('Cairo', '开罗'), ('Sydney', '悉尼'),
    ('Moscow', '莫斯科'), ('Rome', '罗马'), ('Madrid', '马德里'), ('Oslo', '奥斯陆'), ('Lima', '利马'),
    ('Seoul', '首尔'), ('Hanoi', '河内'), ('Delhi', '德里'), ('Toronto', '多伦多'), ('Chicago', '芝加哥'),
    ('Boston', '波士顿'), ('Dublin', '都柏林'), ('Vienna', '维也纳'), ('Prague', '布拉格'), ('Athens', '雅典'),
    ('Osaka', '大阪'), ('Shenzhen', '深圳'), ('Hangzhou', '杭州'), ('Chengdu', '成都'), ('Wuhan', '武汉'),
]  # fmt: skip

# The words that word tasks are measured on.
WORDS = (
    'cat dog sun moon tree bird fish lamp door ring book star wind rain snow milk cake salt gold iron king ship road '
    'farm leaf rock sand wolf bear frog duck goat lion crab corn rice bean soup desk coin drum flag gate hill jump '
    'kite lock mask nest oven pear queen rope seed tent urn vase wave yarn zebra apple bread chair dream eagle flame '
    'grape house igloo juice knife lemon mouse night ocean piano river sheep table uncle voice whale youth'
).split()

# More words, so that spelling is learnt and not only this list.
MORE_WORDS = (
    'banana orange garden window bottle circle doctor engine flower guitar hammer island jacket kitchen ladder market '
    'needle office pencil rabbit school ticket valley winter yellow camera dinner family forest ground honey insect '
    'jungle letter mirror number orchid pepper quartz rocket silver spring summer thread tunnel velvet wallet yogurt '
    'anchor basket candle dragon finger glove harbor ink jewel kettle lantern magnet napkin onion paper ribbon saddle '
    'temple umbrella village wagon beach cloud dance earth field ghost heart image joker lunch music nurse olive plant '
    'quiet robot smile tiger under virus water world train stone stick spoon snake shirt shell shark plate paint horse '
    'hotel green grass glass fruit floor event drink crown clock chain brush brown black berry basin angel alarm actor '
    'hand foot nose ear eye arm leg bed box bus car cup egg fan hat ice jam key map nut owl pan pen pig red sea sky toe van web zoo'
).split()

NAMES = ['Anna', 'Ben', 'Clara', 'David', 'Emma', 'Frank', 'Grace', 'Henry', 'Ivy', 'Jack', 'Kate', 'Leo', 'Mia', 'Tom']
CHINESE_NAMES = ['小明', '小红', '小刚', '小丽', '小华', '小军', '小芳', '小强']
ITEMS = ['apples', 'books', 'coins', 'pens', 'cups', 'stars', 'cakes', 'eggs']
CHINESE_ITEMS = ['个苹果', '本书', '枚硬币', '支笔', '个杯子', '个鸡蛋']

SYSTEM_TEXTS = [
    'You are a helpful assistant.',
    'You are InternLM2-Chat, a harmless AI assistant.',
    'You are InternLM (书生·浦语), a helpful, honest, and harmless AI assistant.',
    '你是书生浦语2，一个无害的人工智能助手',
    '你是一个有用的助手。',
    'Solve the following questions.',
    'Solve the following math questions',
    'Answer the following questions.',
    'Answer the following question.',
    'Answer with one letter.',
    'Be brief.',
    'You are now a helpful and harmless AI assistant.',
    'Follow the pattern.',
    'The following are multiple choice questions (with answers).',
    '回答下列问题。',
    '',
]
