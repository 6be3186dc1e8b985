// The page of a run, or of two side by side: it plays films, and nothing else.

import { look } from "./kit/look";
import { begin, Playing } from "./playing";

look();
const playing = new Playing(false);
begin(playing, () => playing.alone());
