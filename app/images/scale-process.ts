import { text } from 'node:stream/consumers';
import { bridgeStdin } from '../processes/launch.ts';
import { resampled } from './resample.ts';

/** The process of one image; see `scale-image.ts`. It ends with another code than 0 where nothing comes of it. */
bridgeStdin();
const { data, type, most } = Object(JSON.parse(await text(process.stdin)));
const { bytes, width, height } = await resampled(Buffer.from(String(data), 'base64'), String(type), Number(most));
process.stdout.write(JSON.stringify({ data: bytes.toString('base64'), bytes: bytes.length, width, height }), () =>
  process.exit(0),
);
